//! What a reader does to the chosen joint in a picture.

use bindpose_skin::{Keyed, keyed};

keyed! {
    /// What a drag of the chosen joint does.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Gizmo {
        /// Nothing: no gizmo is drawn.
        #[default]
        Off = "off" => "No gizmo",
        /// Turns it about one of three axes.
        Turn = "turn" => "Turn",
        /// Moves it along one of three axes.
        Move = "move" => "Move",
        /// Turns the two joints above it, so that it comes where it is dragged.
        Reach = "reach" => "Reach",
    }
}

keyed! {
    /// Whose axes the gizmo has.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum GizmoFrame {
        /// The joint’s own.
        #[default]
        Local = "local" => "local",
        /// Those of the joint above it; of a root, the world’s.
        Parent = "parent" => "parent",
        /// The world’s.
        World = "world" => "world",
    }
}

impl Gizmo {
    /// The one after it, and after the last the first.
    #[must_use]
    pub fn next(self) -> Self {
        after(self, Self::ALL)
    }
}

impl GizmoFrame {
    /// The one after it, and after the last the first.
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
