// The whole library in one include: models, their dynamics, and the torque controller. Link
// spatial_dynamics::spatial_dynamics.
#pragma once

#include "spatial_dynamics/control/torque_controller.hpp"
#include "spatial_dynamics/dynamics/batch.hpp"
#include "spatial_dynamics/dynamics/contact_forces.hpp"
#include "spatial_dynamics/dynamics/data.hpp"
#include "spatial_dynamics/dynamics/derivatives.hpp"
#include "spatial_dynamics/dynamics/energy.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/kinematics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"
#include "spatial_dynamics/dynamics/regressor.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/model/model_builder.hpp"
