"""Creates keys in the form of ROS 2's security with openssl, as test/support/keystore.hpp does."""

import os
import shutil
import subprocess
import xml.etree.ElementTree as xml

from support import SHARE

NAMESPACE = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation='
SCHEMA = '"http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_{}.xsd"'
DOMAINS = '<domains><id_range><min>0</min><max>230</max></id_range></domains>'
GOVERNANCE = f"""<?xml version="1.0" encoding="UTF-8"?>
<dds {NAMESPACE}{SCHEMA.format('governance')}>
<domain_access_rules><domain_rule>{DOMAINS}
<allow_unauthenticated_participants>false</allow_unauthenticated_participants>
<enable_join_access_control>true</enable_join_access_control>
<discovery_protection_kind>ENCRYPT</discovery_protection_kind>
<liveliness_protection_kind>ENCRYPT</liveliness_protection_kind>
<rtps_protection_kind>SIGN</rtps_protection_kind>
<topic_access_rules><topic_rule><topic_expression>*</topic_expression>
<enable_discovery_protection>true</enable_discovery_protection>
<enable_liveliness_protection>true</enable_liveliness_protection>
<enable_read_access_control>true</enable_read_access_control>
<enable_write_access_control>true</enable_write_access_control>
<metadata_protection_kind>ENCRYPT</metadata_protection_kind>
<data_protection_kind>ENCRYPT</data_protection_kind>
</topic_rule></topic_access_rules>
</domain_rule></domain_access_rules></dds>
"""


def shipped_rights(enclave):
    """The permissions of an enclave in config/sros2_policy.xml, with DDS names: topics to publish and topics to subscribe to."""
    policy = xml.parse(os.path.join(SHARE, 'config', 'sros2_policy.xml'))
    publish, subscribe = ['ros_discovery_info'], ['ros_discovery_info']
    for profile in policy.findall(f".//enclave[@path='{enclave}']/profiles/profile"):
        for entries in profile:
            for entry in entries:
                name = entry.text.replace('~', f"/{profile.get('node')}")
                name = name if name[0] == '/' else f'/{name}'
                if entries.get('publish'):
                    publish.append(f'rt{name}')
                if entries.get('subscribe'):
                    subscribe.append(f'rt{name}')
                if entries.get('reply'):
                    publish.append(f'rr{name}Reply')
                    subscribe.append(f'rq{name}Request')
    return publish, subscribe


class Keystore:
    """A folder with its own authorities and an enclave per member."""

    def __init__(self, folder):
        self.folder = folder
        self.openssl('ecparam -name prime256v1 -genkey -noout -out ca.key.pem')
        self.openssl('req -new -x509 -sha256 -days 2 -key ca.key.pem -out ca.cert.pem -subj /CN=authority')
        self.sign('governance', GOVERNANCE)

    def add(self, enclave, publish=('*',), subscribe=('*',)):
        keys = os.path.join(self.folder, 'enclaves', enclave[1:])
        os.makedirs(keys)
        name = enclave[1:].replace('/', '_')
        self.openssl(f'ecparam -name prime256v1 -genkey -noout -out {keys}/key.pem')
        self.openssl(f'req -new -sha256 -key {keys}/key.pem -out {keys}/request.pem -subj /CN={name}')
        self.openssl(f'x509 -req -sha256 -days 2 -in {keys}/request.pem -CA ca.cert.pem -CAkey ca.key.pem -CAcreateserial '
                     f'-out {keys}/cert.pem')

        def rule(element, names):
            topics = ''.join(f'<topic>{each}</topic>' for each in names)
            return f'<{element}><topics>{topics}</topics></{element}>'
        self.sign('permissions', f"""<?xml version="1.0" encoding="UTF-8"?>
<dds {NAMESPACE}{SCHEMA.format('permissions')}>
<permissions><grant name="{enclave}"><subject_name>CN={name}</subject_name>
<validity><not_before>2020-01-01T00:00:00</not_before><not_after>2120-01-01T00:00:00</not_after></validity>
<allow_rule>{DOMAINS}{rule('publish', publish)}{rule('subscribe', subscribe)}</allow_rule>
<default>DENY</default></grant></permissions></dds>
""")
        shutil.move(os.path.join(self.folder, 'permissions.p7s'), keys)
        for authority in ('identity_ca.cert.pem', 'permissions_ca.cert.pem'):
            shutil.copy(os.path.join(self.folder, 'ca.cert.pem'), os.path.join(keys, authority))
        shutil.copy(os.path.join(self.folder, 'governance.p7s'), keys)

    def variables(self, enclave):
        """The environment variables of a member."""
        return {'ROS_SECURITY_ENABLE': 'true', 'ROS_SECURITY_STRATEGY': 'Enforce', 'ROS_SECURITY_KEYSTORE': self.folder,
                'ROS_SECURITY_ENCLAVE_OVERRIDE': enclave}

    def sign(self, document, text):
        with open(os.path.join(self.folder, f'{document}.xml'), 'w', encoding='utf-8') as file:
            file.write(text)
        self.openssl(f'smime -sign -text -in {document}.xml -out {document}.p7s -signer ca.cert.pem -inkey ca.key.pem')

    def openssl(self, arguments):
        subprocess.run(['openssl', *arguments.split()], cwd=self.folder, check=True, capture_output=True)
