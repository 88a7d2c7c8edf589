//! The seats of a room, by the address of those who took them.

use std::collections::HashMap;

use bindpose_class_protocol::{MAX_STUDENTS, StudentKey};

use super::client_address::ClientAddress;

/// Maximum number of seats of one address. A whole lecture hall may share the address of its
/// network, but no single browser fills the room.
pub(super) const MAX_SEATS_PER_ADDRESS: usize = 400;
/// Maximum number of seats of all clients behind proxies that are not trusted.
const MAX_SHARED_SEATS: usize = MAX_STUDENTS - MAX_SEATS_PER_ADDRESS;

/// The taken seats of a room.
#[derive(Debug, Default)]
pub(super) struct RoomSeats {
    addresses: HashMap<StudentKey, ClientAddress>,
    counts: HashMap<ClientAddress, usize>,
}

impl RoomSeats {
    /// Returns whether a new student from this address gets a seat.
    pub(super) fn has_seat_for(&self, address: ClientAddress) -> bool {
        let max_seats = match address {
            ClientAddress::Known(_) => MAX_SEATS_PER_ADDRESS,
            ClientAddress::Shared => MAX_SHARED_SEATS,
        };
        self.counts.get(&address).copied().unwrap_or(0) < max_seats
    }

    /// Records that a student has a seat. The first address of a student counts.
    pub(super) fn take(&mut self, key: StudentKey, address: ClientAddress) {
        if let std::collections::hash_map::Entry::Vacant(entry) = self.addresses.entry(key) {
            entry.insert(address);
            *self.counts.entry(address).or_insert(0) += 1;
        }
    }

    /// Frees the seat of a student who has left the room for good.
    pub(super) fn free(&mut self, key: &StudentKey) {
        let Some(address) = self.addresses.remove(key) else { return };
        if let Some(count) = self.counts.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn one_address_cannot_fill_the_room() {
        let [flood, phone] =
            [1, 2].map(|last| ClientAddress::Known(IpAddr::V4(Ipv4Addr::new(10, 0, 0, last))));
        let mut seats = RoomSeats::default();
        let mut taken = 0;
        for number in 0..MAX_STUDENTS as u128 {
            if seats.has_seat_for(flood) {
                seats.take(StudentKey::from_random(number), flood);
                taken += 1;
            }
        }
        assert_eq!(taken, MAX_SEATS_PER_ADDRESS);
        assert!(seats.has_seat_for(phone) && seats.has_seat_for(ClientAddress::Shared));
        let first = StudentKey::from_random(0);
        seats.take(first.clone(), phone);
        assert!(!seats.has_seat_for(flood), "a seat keeps its first address");
        seats.free(&first);
        assert!(seats.has_seat_for(flood));
        for number in 0..MAX_STUDENTS as u128 {
            seats.free(&StudentKey::from_random(number));
        }
        assert!(seats.counts.is_empty() && seats.addresses.is_empty());
    }
}
