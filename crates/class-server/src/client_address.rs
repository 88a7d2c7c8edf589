//! The network address of a client, directly or behind a proxy.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName};

use super::site::header_text;

/// Header in which proxies list the addresses of the client and of the proxies before them.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The same by RFC 7239. Only recognized, not read.
const FORWARDED: HeaderName = HeaderName::from_static("forwarded");

/// Address of the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct PeerAddress(pub(super) IpAddr);

/// Address that limits per client apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ClientAddress {
    /// Address of the client, or its network if that is an IPv6 network of a single line.
    Known(IpAddr),
    /// Client behind a proxy that is not trusted, or on this computer, as behind a tunnel. Any
    /// number of clients have this address.
    Shared,
}

/// The proxies whose reports about their clients are believed.
#[derive(Clone, Debug)]
pub(super) struct TrustedProxies {
    pub(super) addresses: Arc<[IpAddr]>,
    /// Whether all connections come from a load balancer.
    pub(super) is_behind_balancer: bool,
}

impl TrustedProxies {
    /// Returns the address of a client. `peer` is the other end of its connection.
    pub(super) fn client_address(&self, peer: IpAddr, headers: &HeaderMap) -> ClientAddress {
        let forwarded_for = header_text(headers, &FORWARDED_FOR);
        if self.addresses.contains(&peer.to_canonical()) {
            // Each proxy appends the address of its client, and clients can send any text.
            let addresses = forwarded_for.rsplit(',').map(|text| text.trim().parse::<IpAddr>());
            for address in addresses {
                match address {
                    Ok(address) if self.addresses.contains(&address.to_canonical()) => {}
                    Ok(address) => return ClientAddress::Known(line_of(address)),
                    Err(_) => return ClientAddress::Shared,
                }
            }
            return ClientAddress::Shared;
        }
        let is_forwarded = !forwarded_for.is_empty() || headers.contains_key(FORWARDED);
        if self.is_behind_balancer || is_forwarded || peer.to_canonical().is_loopback() {
            ClientAddress::Shared
        } else {
            ClientAddress::Known(line_of(peer))
        }
    }
}

/// Returns the address, or of an IPv6 address the /64 that providers give to a single line.
fn line_of(address: IpAddr) -> IpAddr {
    const HOST_BITS: u32 = 64;
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> HOST_BITS << HOST_BITS))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &str, peer: &str, forwarded_for: &str) -> ClientAddress {
        let trusted = trusted.split_whitespace().map(|text| text.parse().unwrap()).collect();
        let proxies = TrustedProxies { addresses: trusted, is_behind_balancer: false };
        let mut headers = HeaderMap::new();
        if !forwarded_for.is_empty() {
            headers.insert(FORWARDED_FOR, forwarded_for.parse().unwrap());
        }
        proxies.client_address(peer.parse().unwrap(), &headers)
    }

    #[test]
    fn only_trusted_proxies_report_addresses() {
        let known = |text: &str| ClientAddress::Known(text.parse().unwrap());
        for (trusted, peer, forwarded_for, expected) in [
            ("", "10.0.0.7", "", known("10.0.0.7")),
            ("", "10.0.0.7", "1.2.3.4", ClientAddress::Shared),
            ("", "127.0.0.1", "", ClientAddress::Shared),
            ("127.0.0.1", "127.0.0.1", "1.2.3.4", known("1.2.3.4")),
            // A client has written the first one itself.
            ("127.0.0.1", "127.0.0.1", "9.9.9.9, 1.2.3.4", known("1.2.3.4")),
            ("127.0.0.1 10.0.0.1", "127.0.0.1", "1.2.3.4, 10.0.0.1", known("1.2.3.4")),
            ("127.0.0.1", "127.0.0.1", "", ClientAddress::Shared),
            ("127.0.0.1", "127.0.0.1", "1.2.3.4, x", ClientAddress::Shared),
            ("10.0.0.1", "10.0.0.7", "", known("10.0.0.7")),
            ("", "2001:db8:1:2:3:4:5:6", "", known("2001:db8:1:2::")),
            ("", "::ffff:10.0.0.7", "", known("10.0.0.7")),
        ] {
            let case = format!("{trusted}, {peer}, {forwarded_for}");
            assert_eq!(client(trusted, peer, forwarded_for), expected, "{case}");
        }
    }
}
