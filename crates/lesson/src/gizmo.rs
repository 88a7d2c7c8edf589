//! Kinds of the gizmo for posing the chosen joint.

use bindpose_skin::{Keyed, keyed};

keyed! {
    /// Effect of dragging the chosen joint.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Gizmo {
        /// No gizmo is drawn.
        #[default]
        Off = "off" => "No gizmo",
        /// Rotates the joint about one of three axes.
        Turn = "turn" => "Turn",
        /// Moves the joint along one of three axes.
        Move = "move" => "Move",
        /// Moves the joint to the pointer by rotating the two joints above it.
        Reach = "reach" => "Reach",
    }
}

keyed! {
    /// Coordinate frame of the gizmo's axes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum GizmoFrame {
        #[default]
        Local = "local" => "local",
        /// Axes of the parent, or of the world for a root.
        Parent = "parent" => "parent",
        World = "world" => "world",
    }
}

impl Gizmo {
    /// Returns the next kind, cyclically.
    #[must_use]
    pub fn next(self) -> Self {
        after(self, Self::ALL)
    }
}

impl GizmoFrame {
    /// Returns the next frame, cyclically.
    #[must_use]
    pub fn next(self) -> Self {
        after(self, Self::ALL)
    }
}

fn after<T: Keyed, const N: usize>(now: T, all: [T; N]) -> T {
    let mut keys = T::KEYS.iter();
    let place = keys.position(|key| *key == now.key()).map_or(0, |at| (at + 1) % N);
    all.get(place).copied().unwrap_or(now)
}
