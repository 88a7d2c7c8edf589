//! What an engine can have done on the way to its palette: each mistake worked out as
//! such an engine would, and named only where that gives exactly the numbers given.
//!
//! A palette is world matrices times inverse bind matrices. Where one factor is ours, the
//! other is known, and the doctor's finder says what is done to it.

use bindpose_asset::NodeIndex;
use bindpose_asset::doctor::{BindData, BindRepair, known_factor};
use bindpose_skin::JointIndex;
use glam::{DMat4, Mat4, Vec4};

use super::held_against::Ours;
use crate::differences::{PART, apart, factor_words, known_transform, transform_words};

/// Joints among which another one's matrix is looked for.
pub(super) const MOST_JOINTS: usize = 512;
/// Joints that a sentence names.
pub(super) const MOST_NAMED: usize = 8;

/// All mistakes that give exactly these, the plainest first: `joint matrices with …`.
pub(super) fn causes(given: &[Mat4], ours: &Ours<'_>) -> Vec<String> {
    let Some(engine) = Engine::new(given, ours) else {
        return Vec::new();
    };
    let of_factors = engine.inverse_bind_cause().into_iter().chain(engine.world_cause());
    let of_lists = || engine.other_inverse_binds().or_else(|| engine.other_worlds());
    let mut all: Vec<String> = of_factors.collect();
    if all.is_empty() {
        all.extend(of_lists());
    }
    let walks = engine.walks().into_iter().filter(|(_, palette)| engine.gives(palette));
    all.extend(walks.map(|(words, _)| words.to_owned()));
    if all.is_empty() {
        all.extend(engine.common_transform().or_else(|| engine.unit()));
    }
    all
}

/// What a palette is made of, by its rows.
pub(super) struct Engine<'a> {
    given: &'a [Mat4],
    pub(super) ours: &'a Ours<'a>,
    /// The row above each.
    pub(super) parents: Vec<Option<usize>>,
    /// `world_from_joint`.
    pub(super) world: Vec<Mat4>,
    /// `joint_from_bind`.
    pub(super) inverse_bind: Vec<Mat4>,
}

impl<'a> Engine<'a> {
    /// `None`: there are not as many.
    fn new(given: &'a [Mat4], ours: &'a Ours<'a>) -> Option<Self> {
        if given.len() != ours.rows.len() || given.is_empty() {
            return None;
        }
        let joints = &ours.derived.joints;
        let all = |matrices: &[Mat4]| -> Option<Vec<Mat4>> {
            ours.rows.iter().map(|&joint| matrices.get(joint).copied()).collect()
        };
        Some(Self {
            given,
            ours,
            parents: ours.parents(),
            world: all(&joints.world_from_joint)?,
            inverse_bind: all(&joints.used_joint_from_bind)?,
        })
    }

    fn gives(&self, palette: &[Mat4]) -> bool {
        self.ours.are_all(self.given, palette)
    }

    fn gives_product(&self, world: &[Mat4], inverse_bind: &[Mat4]) -> bool {
        let rows = world.len() == self.given.len() && inverse_bind.len() == self.given.len();
        let factors = world.iter().zip(inverse_bind);
        rows && self.gives(&factors.map(|(&world, &bind)| world * bind).collect::<Vec<_>>())
    }

    /// World matrices are ours: what the others must have been, and what is done to them.
    fn inverse_bind_cause(&self) -> Option<String> {
        let right = doubles(&self.inverse_bind);
        let rows = self.world.iter().zip(self.given);
        let used = rows.map(|(world, given)| world.as_dmat4().inverse() * given.as_dmat4());
        let used: Vec<DMat4> = used.collect();
        let repair = self.explained(&right, &used)?;
        let wrong = floats(&repair.undone(&right, &self.parents)?);
        let words = done_to(&repair, ["inverse bind", "inverse binds of local"])?;
        self.gives_product(&self.world, &wrong).then_some(words)
    }

    /// The same the other way round.
    fn world_cause(&self) -> Option<String> {
        let right: Vec<DMat4> = self.world.iter().map(|world| world.as_dmat4().inverse()).collect();
        let rows = self.inverse_bind.iter().zip(self.given);
        let used = rows.map(|(bind, given)| bind.as_dmat4() * given.as_dmat4().inverse());
        let used: Vec<DMat4> = used.collect();
        let repair = self.explained(&right, &used)?;
        let wrong = repair.undone(&right, &self.parents)?;
        let wrong: Vec<DMat4> = wrong.iter().map(DMat4::inverse).collect();
        let words = done_to(&repair, ["world", "local"])?;
        self.gives_product(&floats(&wrong), &self.inverse_bind).then_some(words)
    }

    /// What makes `used` the matrices that are right, if they are these but for one thing.
    fn explained(&self, right: &[DMat4], used: &[DMat4]) -> Option<BindRepair> {
        let world: Vec<DMat4> = right.iter().map(DMat4::inverse).collect();
        let data = BindData { world: &world, parents: &self.parents, stored: used };
        let repair = data.explained()?.repair;
        Some(match repair {
            BindRepair::Scaled(factor) => {
                BindRepair::Scaled(known_factor(factor).map_or(factor, |known| known.0))
            }
            other => other,
        })
    }

    /// Inverse bind matrices of other joints, in whatever order.
    fn other_inverse_binds(&self) -> Option<String> {
        let order =
            self.order(|row, other| Some(self.world[row] * *self.inverse_bind.get(other)?))?;
        Some(format!("joint matrices with inverse bind matrices of other joints{order}"))
    }

    /// World matrices of other nodes: such as of node j instead of joint j.
    fn other_worlds(&self) -> Option<String> {
        let graph = self.ours.derived.graph();
        let worlds: Vec<Option<Mat4>> =
            (0..graph.nodes.len().min(MOST_JOINTS)).map(|node| self.world_of_node(node)).collect();
        let is_own = |row: usize, node: usize| {
            let joint = graph.nodes.get(node).and_then(|node| node.joint);
            joint.map(JointIndex::index) == self.ours.rows.get(row).copied()
        };
        let of_node = |row: usize, node: usize| {
            let world = worlds.get(node).copied().flatten()?;
            Some(world * *self.inverse_bind.get(row)?)
        };
        let rows = 0..self.given.len();
        let by_number = || {
            rows.clone().all(|row| {
                of_node(row, row).is_some_and(|ours| self.ours.are_equal(&self.given[row], &ours))
            })
        };
        let own_differ = rows.clone().any(|row| !is_own(row, row));
        if self.ours.derived.rig.origin.is_some() && own_differ && by_number() {
            return Some(
                "joint matrices with the world matrix of node j in the place of that of \
                 skin.joints[j]: joint numbers were taken for node numbers"
                    .to_owned(),
            );
        }
        let order =
            self.order(|row, other| Some(*self.world.get(other)? * *self.inverse_bind.get(row)?))?;
        Some(format!("joint matrices with world matrices of other joints{order}"))
    }

    /// Which other row each row has something of: in words, a plain order first, then row by
    /// row. `None` where one has nothing of any.
    fn order(&self, product: impl Fn(usize, usize) -> Option<Mat4>) -> Option<String> {
        let count = self.given.len();
        if count > MOST_JOINTS {
            return None;
        }
        let fits = |row: usize, other: usize| {
            let ours = product(row, other);
            ours.is_some_and(|ours| self.ours.are_equal(&self.given[row], &ours))
        };
        let last = count - 1;
        let mut by_name: Vec<usize> = (0..count).collect();
        by_name.sort_by_key(|&row| self.ours.rows.get(row).map(|&joint| self.name(joint)));
        let place = |row: usize| by_name.iter().position(|&of| of == row).unwrap_or(row);
        // At the end of a shifted list may stand whatever was there.
        let next = |row: usize| if row == last { 0 } else { row + 1 };
        let before = |row: usize| row.checked_sub(1).unwrap_or(last);
        let is_end = |row: usize, end: usize| count > 3 && end == row;
        let all = |fits: &dyn Fn(usize) -> bool| (0..count).all(fits);
        let plain = if all(&|row| is_end(row, last) || fits(row, next(row))) {
            Some("that of the next")
        } else if all(&|row| is_end(row, 0) || fits(row, before(row))) {
            Some("that of the one before")
        } else if all(&|row| fits(row, last - row)) {
            Some("the list from its end")
        } else if all(&|row| fits(row, by_name.get(row).copied().unwrap_or(row))) {
            Some("the list sorted by name")
        } else if all(&|row| fits(row, place(row))) {
            Some("those of a list sorted by name")
        } else {
            None
        };
        if let Some(plain) = plain {
            return Some(format!(", {plain}"));
        }
        let source = |row: usize| {
            let own = Some(row).filter(|&own| fits(row, own));
            own.or_else(|| (0..count).find(|&other| fits(row, other)))
        };
        let sources: Vec<usize> = (0..count).map(source).collect::<Option<_>>()?;
        let moved = sources.iter().enumerate().filter(|(row, from)| row != *from);
        let moved: Vec<(usize, &usize)> = moved.collect();
        let named = moved.iter().take(MOST_NAMED);
        let mut pairs: Vec<String> =
            named.map(|(row, from)| format!("{row} has that of {from}")).collect();
        if moved.len() > MOST_NAMED {
            pairs.push(format!("and {} more", moved.len() - MOST_NAMED));
        }
        (!pairs.is_empty()).then(|| format!(": {}", pairs.join(", ")))
    }

    fn name(&self, joint: usize) -> &str {
        let joints = self.ours.derived.rig.skeleton.joints();
        joints.get(joint).map_or("", |joint| joint.name.as_str())
    }

    /// In this pose where a joint follows it, else as stored.
    fn world_of_node(&self, node: usize) -> Option<Mat4> {
        let derived = self.ours.derived;
        let graph = derived.graph();
        let mut world = Mat4::IDENTITY;
        let node = NodeIndex(u32::try_from(node).ok()?);
        for at in std::iter::once(node).chain(graph.ancestors(node)) {
            let node = graph.nodes.get(at.index())?;
            let posed = node.joint.and_then(|of| derived.joints.world_from_joint.get(of.index()));
            if let Some(posed) = posed {
                return Some(*posed * world);
            }
            world = node.local.matrix() * world;
        }
        Some(world)
    }

    /// One matrix more on the left or on the right of all.
    fn common_transform(&self) -> Option<String> {
        let right: Vec<Mat4> =
            self.world.iter().zip(&self.inverse_bind).map(|(&w, &b)| w * b).collect();
        let (given, first) = (self.given.first()?.as_dmat4(), right.first()?.as_dmat4());
        let sides = [
            (given * first.inverse(), true, "after it, on the left"),
            (first.inverse() * given, false, "before it, on the right"),
        ];
        sides.into_iter().find_map(|(more, on_left, side)| {
            let more = more.as_mat4();
            let with = right.iter().map(|&ours| if on_left { more * ours } else { ours * more });
            if !more.is_finite() || !self.gives(&with.collect::<Vec<_>>()) {
                return None;
            }
            let known = known_transform(&more, &self.transforms_around());
            if known.is_none() && self.given.len() < 2 {
                return None;
            }
            let what = known.unwrap_or_else(|| transform_words(&more));
            Some(format!("joint matrices with one transform more, {side}: {what}"))
        })
    }

    /// Transforms that stand around a skin, and what one of them more is.
    fn transforms_around(&self) -> Vec<(Mat4, String)> {
        let node = self.ours.derived.world_from_mesh_node;
        let mesh = "the transform of the mesh’s node";
        let mut all = vec![
            (node, mesh.to_owned()),
            (node * node, format!("{mesh}, twice")),
            (node.inverse(), format!("the inverse of {mesh}", mesh = &mesh[4..])),
            ((node * node).inverse(), format!("the inverse of {mesh}, twice")),
        ];
        if let Some((name, above)) = self.above() {
            all.push((
                above,
                format!("the transform of the node “{name}” above the joints, again"),
            ));
            all.push((
                above.inverse(),
                format!("the transform of the node “{name}” above the joints left out"),
            ));
        }
        all
    }

    /// The name of the node above the first joint without one above it in the palette,
    /// and its world matrix.
    pub(super) fn above(&self) -> Option<(&str, Mat4)> {
        let row = self.parents.iter().position(Option::is_none)?;
        let joints = self.ours.derived.rig.skeleton.joints();
        let parent = joints.get(*self.ours.rows.get(row)?)?.parent?;
        let world = self.ours.derived.joints.world_from_joint.get(parent.index())?;
        Some((joints.get(parent.index())?.name.as_str(), *world))
    }

    /// Translations times one factor.
    fn unit(&self) -> Option<String> {
        let product = |(world, bind): (&Mat4, &Mat4)| *world * *bind;
        let right: Vec<Mat4> = self.world.iter().zip(&self.inverse_bind).map(product).collect();
        let (mut along, mut square) = (0.0, 0.0);
        for (given, ours) in self.given.iter().zip(&right) {
            let [given, ours] = [given, ours].map(|matrix| matrix.w_axis.truncate().as_dvec3());
            along += given.dot(ours);
            square += ours.length_squared();
        }
        let factor = along / square;
        let factor = known_factor(factor).map_or(factor, |known| known.0);
        let scaled = right.iter().map(|&ours| {
            let by = factor as f32;
            Mat4 { w_axis: ours.w_axis * Vec4::new(by, by, by, 1.0), ..ours }
        });
        let is_other = factor.is_finite() && (factor - 1.0).abs() > 1e-3;
        let gives = is_other && self.gives(&scaled.collect::<Vec<_>>());
        gives.then(|| format!("joint matrices with translations {}", factor_words(factor)))
    }
}

fn doubles(all: &[Mat4]) -> Vec<DMat4> {
    all.iter().map(Mat4::as_dmat4).collect()
}

fn floats(all: &[DMat4]) -> Vec<Mat4> {
    all.iter().map(DMat4::as_mat4).collect()
}

/// What is wrong with one factor of all: `of`, or of local matrices.
fn done_to(repair: &BindRepair, [of, local]: [&str; 2]) -> Option<String> {
    let what = match repair {
        BindRepair::Inverted if of == "world" => format!("{of} matrices inverted"),
        BindRepair::Inverted => "bind matrices that are not inverted".to_owned(),
        BindRepair::Accumulated => format!("{local} matrices: the parents are missing in them"),
        BindRepair::Transposed => format!("{of} matrices transposed: rows where columns belong"),
        BindRepair::Mirrored(axis) => format!(
            "{of} matrices mirrored in {}, of the other handedness, and the other factor not",
            axis.name()
        ),
        BindRepair::Turned(quarters) => format!(
            "{of} matrices in other axes, turned by {}° about x, and the other factor not",
            -90 * i32::from(*quarters)
        ),
        BindRepair::Scaled(factor) => {
            format!("{of} matrices whose translations are {}", factor_words(1.0 / factor))
        }
        // By rows: which has whose is told there.
        _ => return None,
    };
    Some(format!("joint matrices with {what}"))
}

// Palettes that were packed as 3 × 4 and read as 4 × 4, or the other way round: the same
// numbers one after the other, cut elsewhere.

/// How these are ours, cut elsewhere; `None`: they are not.
pub(super) fn packed_otherwise(given: &[Mat4], ours: &Ours<'_>) -> Option<String> {
    let stream = |all: &[Mat4], packing: Packing| -> Vec<f32> {
        all.iter().flat_map(|matrix| packing.numbers(matrix)).collect()
    };
    let right = Packing::ALL.map(|packing| (packing, stream(ours.palette(), packing)));
    for read in Packing::ALL {
        let theirs = stream(given, read);
        for (packed, ours_packed) in &right {
            // Of one size, that is another matrix and no other cut.
            if packed.size() == read.size() && packed.size() == 16 || *packed == read {
                continue;
            }
            // The last one may be cut, or read beyond the end.
            let enough = theirs.len().min(ours_packed.len());
            let whole = enough >= 32 || given.len() == ours.palette().len();
            let mut pairs = theirs.iter().zip(ours_packed);
            let same = pairs.all(|(a, b)| {
                let size = 1.0 + a.abs().max(b.abs());
                apart(*a, *b) <= PART * size + ours.precision.slack(size)
            });
            if whole && same && enough >= 24 {
                return Some(format!(
                    "They are the joint matrices packed as {} and read as {}.",
                    packed.words(),
                    read.words()
                ));
            }
        }
    }
    None
}

/// How the numbers of a matrix lie one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    Columns,
    Rows,
    ThreeRows,
    ColumnsOfThree,
}

impl Packing {
    const ALL: [Self; 4] = [Self::Columns, Self::Rows, Self::ThreeRows, Self::ColumnsOfThree];

    fn words(self) -> &'static str {
        match self {
            Self::Columns => "4 × 4, column by column",
            Self::Rows => "4 × 4, row by row",
            Self::ThreeRows => "3 × 4, without the last row",
            Self::ColumnsOfThree => "4 columns of 3 numbers",
        }
    }

    fn numbers(self, matrix: &Mat4) -> Vec<f32> {
        let cells = match self {
            Self::Columns | Self::ColumnsOfThree => matrix.to_cols_array(),
            Self::Rows | Self::ThreeRows => matrix.transpose().to_cols_array(),
        };
        match self {
            Self::Columns | Self::Rows => cells.to_vec(),
            Self::ThreeRows => cells[..12].to_vec(),
            Self::ColumnsOfThree => {
                cells.chunks_exact(4).flat_map(|column| column[..3].to_vec()).collect()
            }
        }
    }

    fn size(self) -> usize {
        match self {
            Self::Columns | Self::Rows => 16,
            Self::ThreeRows | Self::ColumnsOfThree => 12,
        }
    }
}
