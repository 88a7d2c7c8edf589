//! Lists the addresses at which phones in the same network can reach this computer.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};

use if_addrs::{IfOperStatus, Interface};

/// Prefixes of the names of interfaces to VPNs, containers and virtual machines, in lower case.
/// Phones cannot reach these.
const VIRTUAL_NAME_PREFIXES: [&str; 19] = [
    "br-",
    "docker",
    "lxc",
    "lxd",
    "openvpn",
    "podman",
    "ppp",
    "tailscale",
    "tap",
    "tun",
    "utun",
    "vboxnet",
    "veth",
    "vethernet",
    "virbr",
    "virtualbox",
    "vmnet",
    "vmware",
    "wg",
];

/// An address of this computer and its network interface.
#[derive(Clone, Debug)]
struct InterfaceAddress {
    interface: String,
    ip: IpAddr,
    is_up: bool,
    /// Whether the interface connects to a single other computer, like that of a VPN.
    is_point_to_point: bool,
}

impl From<Interface> for InterfaceAddress {
    fn from(interface: Interface) -> Self {
        Self {
            ip: interface.ip(),
            is_up: interface.oper_status == IfOperStatus::Up,
            is_point_to_point: interface.is_p2p,
            interface: interface.name,
        }
    }
}

impl InterfaceAddress {
    fn is_virtual(&self) -> bool {
        let name = self.interface.to_lowercase();
        self.is_point_to_point
            || VIRTUAL_NAME_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    }
}

/// Lists the addresses at which phones may reach this computer, the most likely first. Returns
/// no addresses if the computer is in no network. The list has only IPv4 addresses, because the
/// server listens on IPv4 only.
pub fn network_addresses() -> Vec<Ipv4Addr> {
    let outgoing = outgoing_address();
    match if_addrs::get_if_addrs() {
        Ok(interfaces) => {
            rank_addresses(interfaces.into_iter().map(InterfaceAddress::from).collect(), outgoing)
        }
        Err(_) => outgoing.into_iter().collect(),
    }
}

/// Sorts addresses by the likelihood that a phone can reach them: private addresses of physical
/// interfaces, with that of the default route first; public addresses; addresses of virtual
/// interfaces; link-local addresses (169.254). Omits disconnected interfaces, unless all are.
fn rank_addresses(
    mut addresses: Vec<InterfaceAddress>,
    outgoing: Option<Ipv4Addr>,
) -> Vec<Ipv4Addr> {
    addresses.retain(|address| match address.ip {
        IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_unspecified(),
        IpAddr::V6(_) => false,
    });
    if addresses.iter().any(|address| address.is_up) {
        addresses.retain(|address| address.is_up);
    }
    let mut ranked: Vec<_> = addresses
        .iter()
        .filter_map(|address| {
            let IpAddr::V4(ip) = address.ip else { return None };
            let rank =
                (ip.is_link_local(), address.is_virtual(), !ip.is_private(), outgoing != Some(ip));
            Some((rank, ip))
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut ips: Vec<Ipv4Addr> = ranked.into_iter().map(|(_, ip)| ip).collect();
    ips.dedup();
    ips
}

/// Returns the address of this computer on its default route, or `None` without a default route.
/// Sends no packet: connecting a UDP socket only selects the route.
fn outgoing_address() -> Option<Ipv4Addr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // Reserved for documentation, so no computer has this address.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    match socket.local_addr().ok()?.ip() {
        IpAddr::V4(ip) if !ip.is_unspecified() && !ip.is_loopback() => Some(ip),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(interface: &str, ip: &str) -> InterfaceAddress {
        InterfaceAddress {
            interface: interface.to_owned(),
            ip: ip.parse().unwrap(),
            is_up: true,
            is_point_to_point: false,
        }
    }

    fn loopback() -> [InterfaceAddress; 2] {
        [address("lo", "127.0.0.1"), address("lo", "::1")]
    }

    /// Ranks the addresses together with those of the loopback interface. `outgoing` is the
    /// address on the default route.
    fn ranked(others: &[InterfaceAddress], outgoing: Option<&str>) -> Vec<String> {
        let all = loopback().into_iter().chain(others.iter().cloned()).collect();
        let outgoing = outgoing.map(|ip| ip.parse().unwrap());
        rank_addresses(all, outgoing).iter().map(Ipv4Addr::to_string).collect()
    }

    #[test]
    fn a_hotspot_without_a_default_route_is_listed() {
        let hotspot = [address("wlan0", "10.42.0.1"), address("wlan0", "fe80::1")];
        assert_eq!(ranked(&hotspot, None), ["10.42.0.1"]);
    }

    #[test]
    fn the_local_network_is_listed_before_a_vpn_with_the_default_route() {
        let lan = address("en0", "192.168.1.20");
        let tunnel = InterfaceAddress { is_point_to_point: true, ..address("corp0", "10.8.0.2") };
        for vpn in [tunnel, address("utun4", "10.8.0.2"), address("Tailscale", "10.8.0.2")] {
            let all = [vpn, lan.clone()];
            assert_eq!(ranked(&all, Some("10.8.0.2")), ["192.168.1.20", "10.8.0.2"]);
        }
    }

    #[test]
    fn a_computer_in_no_network_has_no_address() {
        assert!(ranked(&[], None).is_empty());
        let ipv6_only = [address("eth0", "2001:db8::7"), address("eth0", "fe80::7")];
        assert!(ranked(&ipv6_only, None).is_empty(), "the server listens on IPv4 only");
    }

    #[test]
    fn private_addresses_are_listed_first_and_link_local_ones_last() {
        let all = [
            address("eth2", "169.254.7.7"),
            address("docker0", "172.17.0.1"),
            address("eth0", "203.0.113.9"),
            address("wlan0", "172.20.10.2"),
            address("eth1", "10.0.0.4"),
        ];
        let with_default_route = ranked(&all, Some("10.0.0.4"));
        let without_default_route = ranked(&all, None);
        let last = ["203.0.113.9", "172.17.0.1", "169.254.7.7"];
        assert_eq!(with_default_route[..2], ["10.0.0.4", "172.20.10.2"]);
        assert_eq!(without_default_route[..2], ["172.20.10.2", "10.0.0.4"]);
        assert_eq!(with_default_route[2..], last);
        assert_eq!(without_default_route[2..], last);
    }

    #[test]
    fn disconnected_interfaces_are_omitted_unless_all_are() {
        let unplugged = InterfaceAddress { is_up: false, ..address("eth0", "192.168.0.9") };
        let wifi = address("wlan0", "192.168.1.9");
        assert_eq!(ranked(&[unplugged.clone(), wifi], None), ["192.168.1.9"]);
        let all = [unplugged].map(|it| InterfaceAddress { is_up: false, ..it });
        let down = loopback().map(|it| InterfaceAddress { is_up: false, ..it });
        let found = rank_addresses(down.into_iter().chain(all).collect(), None);
        assert_eq!(found, [Ipv4Addr::new(192, 168, 0, 9)]);
    }
}
