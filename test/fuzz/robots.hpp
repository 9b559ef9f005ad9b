// Small robots for fuzz targets: hinges, a slide, limits, friction, a mimic joint.
#pragma once

#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::fuzz {

inline constexpr const char* kFinger = R"(<robot name="finger"><link name="base"/>
<link name="a"><inertial><origin xyz="0.1 0 0.02"/><mass value="2"/>
<inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>
<link name="b"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<link name="c"><inertial><origin xyz="0 0.1 0"/><mass value="0.5"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<link name="d"><inertial><origin xyz="0.1 0 0"/><mass value="0.3"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<joint name="turn" type="continuous"><origin xyz="0 0 0.3"/><parent link="base"/><child link="a"/>
<axis xyz="0 1 0"/><limit effort="50" velocity="5"/><dynamics damping="0.2" friction="0.5"/></joint>
<joint name="bend" type="revolute"><origin xyz="0.4 0 0" rpy="0.3 0 0"/><parent link="a"/><child link="b"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="30" velocity="5"/></joint>
<joint name="slide" type="prismatic"><origin xyz="0.3 0 0"/><parent link="b"/><child link="c"/>
<axis xyz="1 0 0"/><limit lower="0" upper="0.2" effort="20" velocity="1"/></joint>
<joint name="follow" type="revolute"><parent link="b"/><child link="d"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="5" velocity="5"/><mimic joint="bend" multiplier="0.5"/></joint>
</robot>)";

/// The same joints with other bodies, limits and link names: either of the two robots may replace
/// the other at once.
inline constexpr const char* kThumb = R"(<robot name="thumb"><link name="base"/>
<link name="a"><inertial><origin xyz="-0.1 0.05 0"/><mass value="7"/>
<inertia ixx="0.2" ixy="0" ixz="0.01" iyy="0.3" iyz="0" izz="0.3"/></inertial></link>
<link name="tool"><inertial><origin xyz="0 0.1 0"/><mass value="0.1"/>
<inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
<link name="b"><inertial><origin xyz="0.2 0 0.1"/><mass value="3"/>
<inertia ixx="0.03" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.05"/></inertial></link>
<joint name="turn" type="continuous"><origin xyz="0 0 0.1"/><parent link="base"/><child link="a"/>
<axis xyz="0 1 0"/><limit effort="20" velocity="5"/></joint>
<joint name="bend" type="revolute"><origin xyz="0.2 0 0"/><parent link="a"/><child link="b"/>
<axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="60" velocity="5"/>
<dynamics damping="1" friction="2"/></joint>
<joint name="slide" type="prismatic"><origin xyz="0.1 0 0"/><parent link="b"/><child link="tool"/>
<axis xyz="0 0 1"/><limit lower="0" upper="0.2" effort="20" velocity="1"/></joint>
</robot>)";

/// Other joints: the replacement waits until the torque is zero.
inline constexpr const char* kStick = R"(<robot name="stick"><link name="base"/>
<link name="a"><inertial><origin xyz="0.3 0 0"/><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
<limit effort="5" velocity="5"/></joint></robot>)";

}  // namespace spatial_dynamics::fuzz
