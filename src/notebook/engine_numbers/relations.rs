//! How a matrix of somebody's own can come of ours.

use glam::{Mat4, Vec3};

use crate::notebook::Derived;

/// One of our matrices of a joint, and what is done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    kind: Kind,
    change: Change,
    form: Form,
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $words:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            const ALL: &[Self] = &[$(Self::$variant),+];

            fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)+ }
            }
        }
    };
}

named! {
    /// Which matrix.
    Kind {
        /// W B⁻¹
        Joint = "the joint matrices",
        /// W
        World = "the world matrices: the inverse bind matrices are missing",
        /// B⁻¹ W
        OtherSide = "the inverse bind matrices times the world matrices: the factors are on the other side",
        /// N W B⁻¹
        WithNode = "the joint matrices with the mesh’s node multiplied in",
        /// N⁻¹ W B⁻¹
        FromNode = "the joint matrices as seen from the mesh’s node, whose inverse is multiplied in",
        /// W B
        NotInverted = "the world matrices times the bind matrices, which are not inverted",
        /// B⁻¹
        InverseBind = "the inverse bind matrices",
        /// B
        Bind = "the bind matrices",
        /// L
        Local = "the local matrices",
    }
}

named! {
    /// What is done to space.
    Change {
        None = "",
        ZUp = "in a frame with z up",
        YUp = "in a frame with y up, taken from one with z up",
        MirroredX = "mirrored at x = 0, as to another handedness",
        MirroredZ = "mirrored at z = 0, as to another handedness",
        Hundredfold = "with places a hundred times as large: centimetres",
        Hundredth = "with places a hundredth as large: metres",
    }
}

named! {
    /// What is done to the numbers.
    Form {
        AsIs = "",
        Transposed = "transposed",
        Inverted = "inverted",
        InvertedTransposed = "inverted and transposed",
    }
}

impl Relation {
    /// From the plainest to the farthest.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        Form::ALL.iter().flat_map(|&form| {
            Change::ALL.iter().flat_map(move |&change| {
                Kind::ALL
                    .iter()
                    .map(move |&kind| Self { kind, change, form })
            })
        })
    }

    /// The joint matrices as they are, and transposed.
    pub(super) const OF_OTHER_JOINTS: [Self; 3] = [
        Self {
            kind: Kind::Joint,
            change: Change::None,
            form: Form::AsIs,
        },
        Self {
            kind: Kind::Joint,
            change: Change::None,
            form: Form::Transposed,
        },
        Self {
            kind: Kind::World,
            change: Change::None,
            form: Form::AsIs,
        },
    ];

    /// Nothing is done, to the right matrix?
    pub(super) fn is_right(self) -> bool {
        self == Self::OF_OTHER_JOINTS[0]
    }

    /// `the joint matrices, transposed`
    pub(super) fn words(self) -> String {
        let parts = [self.kind.words(), self.change.words(), self.form.words()];
        let said: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        said.join(", ")
    }

    /// That of a joint; `None` where the rig has no such joint.
    pub(super) fn matrix(self, derived: &Derived, joint: usize) -> Option<Mat4> {
        let world = *derived.world_from_joint.get(joint)?;
        let inverse_bind = *derived.used_joint_from_bind.get(joint)?;
        let node = derived.world_from_mesh_node;
        let matrix = match self.kind {
            Kind::Joint => world * inverse_bind,
            Kind::World => world,
            Kind::OtherSide => inverse_bind * world,
            Kind::WithNode => node * world * inverse_bind,
            Kind::FromNode => node.inverse() * world * inverse_bind,
            Kind::NotInverted => world * inverse_bind.inverse(),
            Kind::InverseBind => inverse_bind,
            Kind::Bind => inverse_bind.inverse(),
            Kind::Local => *derived.parent_from_joint.get(joint)?,
        };
        let matrix = self.change.changed(matrix);
        Some(match self.form {
            Form::AsIs => matrix,
            Form::Transposed => matrix.transpose(),
            Form::Inverted => matrix.inverse(),
            Form::InvertedTransposed => matrix.inverse().transpose(),
        })
    }
}

impl Change {
    fn changed(self, matrix: Mat4) -> Mat4 {
        match self {
            Self::None => matrix,
            Self::Hundredfold | Self::Hundredth => {
                let by = if self == Self::Hundredfold {
                    100.0
                } else {
                    0.01
                };
                let mut matrix = matrix;
                matrix.w_axis *= glam::Vec4::new(by, by, by, 1.0);
                matrix
            }
            other => {
                let frame = other.frame();
                frame * matrix * frame.inverse()
            }
        }
    }

    fn frame(self) -> Mat4 {
        match self {
            Self::ZUp => Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2),
            Self::YUp => Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2),
            Self::MirroredX => Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
            Self::MirroredZ => Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0)),
            Self::Hundredfold => Mat4::from_scale(Vec3::splat(100.0)),
            Self::Hundredth => Mat4::from_scale(Vec3::splat(0.01)),
            Self::None => Mat4::IDENTITY,
        }
    }
}

/// What can be done to all places alike: its words, and the matrix.
pub(super) fn changes_of_places() -> impl Iterator<Item = (&'static str, Mat4)> {
    let all = Change::ALL.iter().filter(|&&change| change != Change::None);
    all.map(|&change| (change.words(), change.frame()))
}

/// The same numbers, up to what rounding in another engine does? Turns and places are
/// held each against its own size.
pub(super) fn are_equal(a: &Mat4, b: &Mat4) -> bool {
    const PART: f32 = 1e-4;
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let size = a
        .iter()
        .chain(&b)
        .fold(1e-3_f32, |most, x| most.max(x.abs()));
    a.iter()
        .zip(&b)
        .all(|(a, b)| (a - b).abs() <= PART * size.min(1.0 + a.abs().max(b.abs())))
}
