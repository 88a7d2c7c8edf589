//! How a matrix of somebody's own can come of ours.

use glam::{Mat4, Vec3};

use super::held_against::Ours;

/// One of our matrices of a joint, and what is done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    kind: RelatedMatrix,
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

/// Which matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RelatedMatrix {
    /// W B⁻¹
    Joint,
    /// What the page has in its place: by its stage, edits and faults that are on.
    Drawn,
    /// W
    World,
    /// B⁻¹ W
    OtherSide,
    /// N W B⁻¹
    WithNode,
    /// N⁻¹ W B⁻¹
    FromNode,
    /// W B
    NotInverted,
    /// B⁻¹
    InverseBind,
    /// B
    Bind,
    /// L
    Local,
}

impl RelatedMatrix {
    const ALL: [Self; 10] = [
        Self::Joint,
        Self::Drawn,
        Self::World,
        Self::OtherSide,
        Self::WithNode,
        Self::FromNode,
        Self::NotInverted,
        Self::InverseBind,
        Self::Bind,
        Self::Local,
    ];

    /// One of them, several, and what is to be said of them.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::Joint => ["joint matrix", "joint matrices", ""],
            Self::Drawn => [
                "matrix by which this page moves vertices",
                "matrices by which this page moves vertices",
                "",
            ],
            Self::World => ["world matrix", "world matrices", "the inverse bind matrix is missing"],
            Self::OtherSide => [
                "product of inverse bind matrix and world matrix",
                "products of inverse bind matrix and world matrix",
                "the factors are on the other side",
            ],
            Self::WithNode => {
                ["joint matrix", "joint matrices", "the mesh’s node is multiplied in"]
            }
            Self::FromNode => [
                "joint matrix",
                "joint matrices",
                "the inverse of the mesh’s node is multiplied in",
            ],
            Self::NotInverted => [
                "product of world matrix and bind matrix",
                "products of world matrix and bind matrix",
                "the bind matrix is not inverted",
            ],
            Self::InverseBind => ["inverse bind matrix", "inverse bind matrices", ""],
            Self::Bind => ["bind matrix", "bind matrices", ""],
            Self::Local => ["local matrix", "local matrices", ""],
        }
    }
}

named! {
    /// What is done to space.
    Change {
        None = "",
        ZUp = "in coordinates with z up",
        YUp = "in coordinates with y up, taken from some with z up",
        MirroredX = "mirrored at x = 0, as to another handedness",
        MirroredY = "mirrored at y = 0, as to another handedness",
        MirroredZ = "mirrored at z = 0, as to another handedness",
        Hundredfold = "with positions a hundred times as large: centimetres",
        Hundredth = "with positions a hundredth as large: metres",
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
                RelatedMatrix::ALL.iter().map(move |&kind| Self { kind, change, form })
            })
        })
    }

    const fn plain(kind: RelatedMatrix) -> Self {
        Self { kind, change: Change::None, form: Form::AsIs }
    }

    /// The joint matrices of the pose as they should be.
    pub(super) const JOINT: Self = Self::plain(RelatedMatrix::Joint);

    /// What the page has.
    pub(super) const DRAWN: Self = Self::plain(RelatedMatrix::Drawn);

    /// Those among which matrices of other joints are looked for.
    pub(super) const OF_OTHER_JOINTS: [Self; 4] = [
        Self::JOINT,
        Self::DRAWN,
        Self { form: Form::Transposed, ..Self::JOINT },
        Self::plain(RelatedMatrix::World),
    ];

    /// `the joint matrices, transposed`
    pub(super) fn of_all(self) -> String {
        let [_, several, remark] = self.kind.words();
        self.with_remark(format!("the {several}"), remark)
    }

    /// `the world matrix of joint 9: the inverse bind matrix is missing`
    pub(super) fn of_one(self, joint: &str) -> String {
        let [one, _, remark] = self.kind.words();
        self.with_remark(format!("the {one} of {joint}"), remark)
    }

    fn with_remark(self, mut words: String, remark: &str) -> String {
        for done in [self.change.words(), self.form.words()] {
            if !done.is_empty() {
                words.push_str(", ");
                words.push_str(done);
            }
        }
        if !remark.is_empty() {
            words.push_str(": ");
            words.push_str(remark);
        }
        words
    }

    /// That of a joint of the rig; `None` where it has no such joint, or it cannot be
    /// worked out.
    pub(super) fn matrix(self, ours: &Ours<'_>, joint: usize) -> Option<Mat4> {
        let derived = ours.derived;
        let world = *derived.joints.world_from_joint.get(joint)?;
        let inverse_bind = *derived.joints.used_joint_from_bind.get(joint)?;
        let node = derived.world_from_mesh_node;
        let matrix = match self.kind {
            RelatedMatrix::Joint => world * inverse_bind,
            RelatedMatrix::Drawn => ours.drawn(joint)?,
            RelatedMatrix::World => world,
            RelatedMatrix::OtherSide => inverse_bind * world,
            RelatedMatrix::WithNode => node * world * inverse_bind,
            RelatedMatrix::FromNode => node.inverse() * world * inverse_bind,
            RelatedMatrix::NotInverted => world * inverse_bind.inverse(),
            RelatedMatrix::InverseBind => inverse_bind,
            RelatedMatrix::Bind => inverse_bind.inverse(),
            RelatedMatrix::Local => *derived.joints.parent_from_joint.get(joint)?,
        };
        let matrix = self.change.changed(matrix);
        let matrix = match self.form {
            Form::AsIs => matrix,
            Form::Transposed => matrix.transpose(),
            Form::Inverted => matrix.inverse(),
            Form::InvertedTransposed => matrix.inverse().transpose(),
        };
        // What has no inverse gives what is no number, which says nothing of where a
        // matrix comes from.
        let says_something = matrix.is_finite() || self == Self::JOINT || self == Self::DRAWN;
        says_something.then_some(matrix)
    }
}

impl Change {
    fn changed(self, matrix: Mat4) -> Mat4 {
        match self {
            Self::None => matrix,
            Self::Hundredfold | Self::Hundredth => {
                let by = if self == Self::Hundredfold { 100.0 } else { 0.01 };
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
            Self::MirroredY => Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0)),
            Self::MirroredZ => Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0)),
            Self::Hundredfold => Mat4::from_scale(Vec3::splat(100.0)),
            Self::Hundredth => Mat4::from_scale(Vec3::splat(0.01)),
            Self::None => Mat4::IDENTITY,
        }
    }
}

/// What can be done to all places alike: its words, and the matrix.
pub(crate) fn changes_of_places() -> impl Iterator<Item = (&'static str, Mat4)> {
    let all = Change::ALL.iter().filter(|&&change| change != Change::None);
    all.map(|&change| (change.words(), change.frame()))
}
