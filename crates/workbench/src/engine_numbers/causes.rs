//! Mistakes on the way to a palette. Each is computed as an engine with the mistake would,
//! and reported only if that gives exactly the engine's numbers.
//!
//! A palette is the product of world matrices and inverse bind matrices. If one factor is
//! ours, the other one can be computed, and the doctor finds the repair that it needs.

use bindpose_doctor::{BindData, BindRepair, known_factor};
use bindpose_gltf::NodeIndex;
use bindpose_lesson::FaultName;
use bindpose_skin::JointIndex;
use glam::{DMat4, Mat4, Vec4};

use super::comparison::{PageNumbers, joint_index};
use crate::differences::{PART, apart, describe_factor, describe_transform, known_transform};

/// Maximum number of joints among which the matrix of another joint is searched.
pub(super) const MAX_SEARCHED_JOINTS: usize = 512;
/// Maximum number of joints that a sentence names.
pub(super) const MAX_NAMED_JOINTS: usize = 8;

/// A palette as an engine with a mistake computes it, by row.
pub(super) struct WrongPalette {
    /// Describes the palette, such as `joint matrices with …`.
    pub(super) words: String,
    pub(super) palette: Vec<Mat4>,
    /// The known fault of this kind. The fault itself may give other numbers.
    pub(super) fault: Option<FaultName>,
}

impl WrongPalette {
    pub(super) fn new(words: impl Into<String>, palette: Vec<Mat4>) -> Self {
        Self { words: words.into(), palette, fault: None }
    }
}

/// A mistake that gives exactly the engine's numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cause {
    /// Describes the numbers, such as `joint matrices with …`.
    pub(super) words: String,
    /// Largest difference that the mistake leaves, relative to the size of the numbers.
    /// `None` if each matrix was compared alone.
    pub(super) residual: Option<f32>,
    /// The known fault of this kind. The fault itself may give other numbers.
    pub(super) fault: Option<FaultName>,
}

impl Cause {
    /// Describes the numbers and what is left of the difference. `start` begins the sentence.
    pub(super) fn sentence(&self, start: &str) -> String {
        let residual = self.residual.map(describe_residual).unwrap_or_default();
        format!("{start} {}.{residual}", self.words)
    }
}

/// Describes the difference that an explanation leaves, relative to the size of the numbers,
/// in a sentence that follows another.
pub(super) fn describe_residual(residual: f32) -> String {
    let left = if residual == 0.0 { "0".to_owned() } else { format!("{residual:.0e}") };
    format!(" The largest difference left is {left} of their size.").replace('-', "−")
}

/// Returns all mistakes that give exactly these matrices, the simplest first.
pub(super) fn find_causes(given: &[Mat4], ours: &PageNumbers<'_>) -> Vec<Cause> {
    let Some(engine) = EnginePalette::new(given, ours) else {
        return Vec::new();
    };
    let mut all: Vec<Cause> =
        engine.find_inverse_bind_cause().into_iter().chain(engine.find_world_cause()).collect();
    if all.is_empty() {
        all.extend(engine.other_inverse_binds().or_else(|| engine.other_worlds()));
    }
    let walks = engine.walks().into_iter().map(|walk| vec![walk]);
    for family in walks.chain(engine.wrong_poses()) {
        all.extend(family.into_iter().find_map(|wrong| engine.cause_of(wrong)));
    }
    if all.is_empty() {
        all.extend(engine.common_transform().or_else(|| engine.translation_factor()));
    }
    all
}

/// A palette of an engine with our factors of each matrix.
pub(super) struct EnginePalette<'a> {
    given: &'a [Mat4],
    pub(super) ours: &'a PageNumbers<'a>,
    /// The row of the parent of each joint.
    pub(super) parents: Vec<Option<usize>>,
    /// `world_from_joint` by row.
    pub(super) world: Vec<Mat4>,
    /// `joint_from_bind` by row.
    pub(super) inverse_bind: Vec<Mat4>,
}

impl<'a> EnginePalette<'a> {
    /// Returns `None` if the number of matrices differs from ours.
    fn new(given: &'a [Mat4], ours: &'a PageNumbers<'a>) -> Option<Self> {
        if given.len() != ours.rows.len() || given.is_empty() {
            return None;
        }
        let joints = &ours.derived.joints;
        Some(Self {
            given,
            ours,
            parents: ours.parents(),
            world: matrices_by_row(ours, &joints.world_from_joint)?,
            inverse_bind: matrices_by_row(ours, &joints.used_joint_from_bind)?,
        })
    }

    /// The page's own palette, from which palettes with a mistake are computed.
    pub(super) fn of_page(ours: &'a PageNumbers<'a>) -> Option<Self> {
        Self::new(ours.palette(), ours)
    }

    fn matches(&self, palette: &[Mat4]) -> bool {
        self.ours.are_palettes_equal(self.given, palette)
    }

    /// Returns the cause if the palette is the given one.
    fn cause_of(&self, wrong: WrongPalette) -> Option<Cause> {
        let WrongPalette { words, palette, fault } = wrong;
        self.matches(&palette).then(|| Cause {
            words,
            residual: Some(largest_part(self.given, &palette)),
            fault,
        })
    }

    /// Returns the cause if these factors give the given palette.
    fn cause_of_product(
        &self,
        words: String,
        world: &[Mat4],
        inverse_bind: &[Mat4],
    ) -> Option<Cause> {
        self.cause_of(WrongPalette::new(words, product(world, inverse_bind)))
    }

    /// Finds the mistake in the inverse bind matrices, if the world matrices are ours.
    fn find_inverse_bind_cause(&self) -> Option<Cause> {
        let right = to_f64(&self.inverse_bind);
        let mut used = Vec::new();
        for (world, given) in self.world.iter().zip(self.given) {
            used.push(world.as_dmat4().inverse() * given.as_dmat4());
        }
        let repair = self.find_repair(&right, &used)?;
        let wrong = to_f32(&repair.undone(&right, &self.parents)?);
        let words = describe_repair(&repair, ["inverse bind", "inverse binds of local"])?;
        self.cause_of_product(words, &self.world, &wrong)
    }

    /// Finds the mistake in the world matrices, if the inverse bind matrices are ours.
    fn find_world_cause(&self) -> Option<Cause> {
        let right: Vec<DMat4> = self.world.iter().map(|world| world.as_dmat4().inverse()).collect();
        let mut used = Vec::new();
        for (bind, given) in self.inverse_bind.iter().zip(self.given) {
            used.push(bind.as_dmat4() * given.as_dmat4().inverse());
        }
        let repair = self.find_repair(&right, &used)?;
        let wrong_inverses = repair.undone(&right, &self.parents)?;
        let wrong: Vec<DMat4> = wrong_inverses.iter().map(DMat4::inverse).collect();
        let words = describe_repair(&repair, ["world", "local"])?;
        self.cause_of_product(words, &to_f32(&wrong), &self.inverse_bind)
    }

    /// Returns the palettes of engines with the mistake that a repair undoes, in the inverse
    /// bind matrices or in the world matrices.
    pub(super) fn with_mistaken_factors(&self, repair: &BindRepair) -> Vec<WrongPalette> {
        let mut palettes = Vec::new();
        let wrong_binds = repair.undone(&to_f64(&self.inverse_bind), &self.parents);
        if let Some(wrong) = wrong_binds
            && let Some(words) = describe_repair(repair, ["inverse bind", "inverse binds of local"])
        {
            palettes.push(WrongPalette::new(words, product(&self.world, &to_f32(&wrong))));
        }
        let inverse_worlds: Vec<DMat4> =
            self.world.iter().map(|world| world.as_dmat4().inverse()).collect();
        if let Some(wrong) = repair.undone(&inverse_worlds, &self.parents)
            && let Some(words) = describe_repair(repair, ["world", "local"])
        {
            let wrong: Vec<DMat4> = wrong.iter().map(DMat4::inverse).collect();
            palettes.push(WrongPalette::new(words, product(&to_f32(&wrong), &self.inverse_bind)));
        }
        palettes
    }

    /// Returns the palettes of engines that take inverse bind matrices in another order.
    pub(super) fn with_factors_of_other_joints(&self) -> Vec<WrongPalette> {
        let count = self.inverse_bind.len();
        let mut by_name: Vec<usize> = (0..count).collect();
        by_name.sort_by_key(|&row| self.ours.rows.get(row).map(|&joint| self.joint_name(joint)));
        let orders: [(&str, Vec<usize>); 4] = [
            ("that of the next", (0..count).map(|row| (row + 1) % count).collect()),
            ("that of the one before", (0..count).map(|row| (row + count - 1) % count).collect()),
            ("the list from its end", (0..count).rev().collect()),
            ("the list sorted by name", by_name),
        ];
        orders
            .into_iter()
            .map(|(words, order)| {
                let other: Vec<Mat4> = order.iter().map(|&row| self.inverse_bind[row]).collect();
                WrongPalette::new(
                    format!("joint matrices with inverse bind matrices of other joints, {words}"),
                    product(&self.world, &other),
                )
            })
            .collect()
    }

    /// Returns the transforms of the root and its inverse, with descriptions of one more of
    /// them.
    pub(super) fn root_transforms(&self) -> Vec<(Mat4, String)> {
        let root = self.parents.iter().position(Option::is_none);
        let Some((row, world)) = root.and_then(|row| Some((row, *self.world.get(row)?))) else {
            return Vec::new();
        };
        let name = self.ours.joint_label(row);
        vec![
            (world, format!("the world matrix of {name}, again")),
            (world.inverse(), format!("the inverse of the world matrix of {name}")),
        ]
    }

    /// Returns the repair that turns the `used` matrices into the right ones, if there is one.
    fn find_repair(&self, right: &[DMat4], used: &[DMat4]) -> Option<BindRepair> {
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

    /// Finds inverse bind matrices of other joints, in any order.
    fn other_inverse_binds(&self) -> Option<Cause> {
        let order =
            self.find_order(|row, other| Some(self.world[row] * *self.inverse_bind.get(other)?))?;
        let words = format!("joint matrices with inverse bind matrices of other joints{order}");
        Some(Cause { words, residual: None, fault: None })
    }

    /// Finds world matrices of other joints, or of node j in the place of joint j.
    fn other_worlds(&self) -> Option<Cause> {
        let words = if self.are_joints_taken_for_nodes() {
            "joint matrices with the world matrix of node j in the place of that of \
             skin.joints[j]: joint numbers were taken for node numbers"
                .to_owned()
        } else {
            let order = self.find_order(|row, other| {
                Some(*self.world.get(other)? * *self.inverse_bind.get(row)?)
            })?;
            format!("joint matrices with world matrices of other joints{order}")
        };
        Some(Cause { words, residual: None, fault: None })
    }

    fn are_joints_taken_for_nodes(&self) -> bool {
        let graph = self.ours.derived.graph();
        let node_worlds: Vec<Option<Mat4>> = (0..graph.nodes.len().min(MAX_SEARCHED_JOINTS))
            .map(|node| self.world_of_node(node))
            .collect();
        // Nothing can be concluded if each joint has the number of its node.
        let have_other_numbers = (0..self.given.len()).any(|row| {
            let joint = graph.nodes.get(row).and_then(|node| node.joint);
            joint.map(JointIndex::index) != self.ours.rows.get(row).copied()
        });
        self.ours.derived.rig.origin.is_some()
            && have_other_numbers
            && self.given.iter().enumerate().all(|(row, given)| {
                let world = node_worlds.get(row).copied().flatten();
                let matrix =
                    world.zip(self.inverse_bind.get(row)).map(|(world, bind)| world * *bind);
                matrix.is_some_and(|matrix| self.ours.are_equal(given, &matrix))
            })
    }

    /// Describes which other row each row takes a factor from: a common order if there is
    /// one, else row by row. `product` computes the matrix of a row with the factor of
    /// another. Returns `None` if a row matches no other.
    fn find_order(&self, product: impl Fn(usize, usize) -> Option<Mat4>) -> Option<String> {
        let count = self.given.len();
        if count > MAX_SEARCHED_JOINTS {
            return None;
        }
        let matches = |row: usize, other: usize| {
            let ours = product(row, other);
            ours.is_some_and(|ours| self.ours.are_equal(&self.given[row], &ours))
        };
        let last = count - 1;
        let mut by_name: Vec<usize> = (0..count).collect();
        by_name.sort_by_key(|&row| self.ours.rows.get(row).map(|&joint| self.joint_name(joint)));
        // The end of a shifted list may contain anything.
        let can_skip_end = count > 3;
        let common_order = if (0..count).all(|row| {
            (can_skip_end && row == last) || matches(row, if row == last { 0 } else { row + 1 })
        }) {
            Some("that of the next")
        } else if (0..count).all(|row| {
            (can_skip_end && row == 0) || matches(row, row.checked_sub(1).unwrap_or(last))
        }) {
            Some("that of the one before")
        } else if (0..count).all(|row| matches(row, last - row)) {
            Some("the list from its end")
        } else if (0..count).all(|row| matches(row, by_name[row])) {
            Some("the list sorted by name")
        } else if (0..count).all(|row| {
            let rank = by_name.iter().position(|&other| other == row).unwrap_or(row);
            matches(row, rank)
        }) {
            Some("those of a list sorted by name")
        } else {
            None
        };
        if let Some(order) = common_order {
            return Some(format!(", {order}"));
        }
        let mut sources = Vec::new();
        for row in 0..count {
            let own = Some(row).filter(|&own| matches(row, own));
            sources.push(own.or_else(|| (0..count).find(|&other| matches(row, other)))?);
        }
        let moved: Vec<(usize, usize)> =
            sources.into_iter().enumerate().filter(|(row, source)| row != source).collect();
        let mut pairs: Vec<String> = moved
            .iter()
            .take(MAX_NAMED_JOINTS)
            .map(|(row, source)| format!("{row} has that of {source}"))
            .collect();
        if moved.len() > MAX_NAMED_JOINTS {
            pairs.push(format!("and {} more", moved.len() - MAX_NAMED_JOINTS));
        }
        (!pairs.is_empty()).then(|| format!(": {}", pairs.join(", ")))
    }

    pub(super) fn joint_name(&self, joint: usize) -> &str {
        let joints = self.ours.derived.rig.skeleton.joints();
        joints.get(joint).map_or("", |joint| joint.name.as_str())
    }

    /// Returns the world matrix of a node: in this pose if it or an ancestor follows a
    /// joint, else as stored.
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

    /// Finds one transform that all matrices are multiplied with, on the left or right.
    fn common_transform(&self) -> Option<Cause> {
        let right = product(&self.world, &self.inverse_bind);
        let given = self.given.first()?.as_dmat4();
        let first = right.first()?.as_dmat4();
        let sides = [
            (given * first.inverse(), true, "after it, on the left"),
            (first.inverse() * given, false, "before it, on the right"),
        ];
        sides.into_iter().find_map(|(more, on_left, side)| {
            let more = more.as_mat4();
            if !more.is_finite() {
                return None;
            }
            let changed =
                right.iter().map(|&ours| if on_left { more * ours } else { ours * more }).collect();
            let known = known_transform(&more, &self.transforms_around());
            if known.is_none() && self.given.len() < 2 {
                return None;
            }
            let what = match (known, known_transform(&more, &[])) {
                (Some(known), Some(turn)) if known != turn => format!("{known}, which is {turn}"),
                (Some(known), _) => known,
                (None, _) => describe_transform(&more),
            };
            if what.is_empty() {
                return None;
            }
            let words = format!("joint matrices with one transform more, {side}: {what}");
            self.cause_of(WrongPalette::new(words, changed))
        })
    }

    /// Returns transforms of the nodes around a skin, with descriptions of one more of them.
    pub(super) fn transforms_around(&self) -> Vec<(Mat4, String)> {
        let node = self.ours.derived.world_from_mesh_node;
        let mesh = "the transform of the mesh’s node";
        let mut all = vec![
            (node, mesh.to_owned()),
            (node * node, format!("{mesh}, twice")),
            (node.inverse(), format!("the inverse of {mesh}", mesh = &mesh[4..])),
            ((node * node).inverse(), format!("the inverse of {mesh}, twice")),
        ];
        for (name, above) in self.root_ancestors() {
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

    /// Returns the names and world matrices of the nodes above the first root of the palette,
    /// from the nearest up.
    fn root_ancestors(&self) -> Vec<(&str, Mat4)> {
        let skeleton = &self.ours.derived.rig.skeleton;
        let root = self.parents.iter().position(Option::is_none);
        let joint = root.and_then(|row| joint_index(*self.ours.rows.get(row)?));
        let Some(joint) = joint else {
            return Vec::new();
        };
        let world = &self.ours.derived.joints.world_from_joint;
        skeleton
            .ancestors(joint)
            .filter_map(|above| Some((self.joint_name(above.index()), *world.get(above.index())?)))
            .collect()
    }

    /// Returns the name and world matrix of the node above the first root of the palette.
    pub(super) fn root_ancestor(&self) -> Option<(&str, Mat4)> {
        self.root_ancestors().into_iter().next()
    }

    /// Finds a factor that all translations are multiplied with.
    fn translation_factor(&self) -> Option<Cause> {
        let right = product(&self.world, &self.inverse_bind);
        // Least squares over all translations.
        let mut dot_sum = 0.0;
        let mut square_sum = 0.0;
        for (given, ours) in self.given.iter().zip(&right) {
            let [given, ours] = [given, ours].map(|matrix| matrix.w_axis.truncate().as_dvec3());
            dot_sum += given.dot(ours);
            square_sum += ours.length_squared();
        }
        let factor = dot_sum / square_sum;
        let factor = known_factor(factor).map_or(factor, |known| known.0);
        if !factor.is_finite() || (factor - 1.0).abs() <= 1e-3 {
            return None;
        }
        let by = factor as f32;
        let scaled: Vec<Mat4> = right
            .iter()
            .map(|&ours| Mat4 { w_axis: ours.w_axis * Vec4::new(by, by, by, 1.0), ..ours })
            .collect();
        let words = format!("joint matrices with translations {}", describe_factor(factor));
        self.cause_of(WrongPalette::new(words, scaled))
    }
}

/// Returns the largest difference of two palettes, each matrix relative to its largest number
/// or 1.
fn largest_part(given: &[Mat4], ours: &[Mat4]) -> f32 {
    let mut largest = 0.0_f32;
    for (given, ours) in given.iter().zip(ours) {
        let ours = ours.to_cols_array();
        let size = ours.iter().fold(1.0_f32, |size, number| size.max(number.abs()));
        for (given, ours) in given.to_cols_array().into_iter().zip(ours) {
            largest = largest.max(apart(given, ours) / size);
        }
    }
    largest
}

/// Returns the matrices of the joints in each row. Returns `None` if one is missing.
fn matrices_by_row(ours: &PageNumbers<'_>, matrices: &[Mat4]) -> Option<Vec<Mat4>> {
    ours.rows.iter().map(|&joint| matrices.get(joint).copied()).collect()
}

/// Multiplies world and inverse bind matrices row by row.
pub(super) fn product(world: &[Mat4], inverse_bind: &[Mat4]) -> Vec<Mat4> {
    world.iter().zip(inverse_bind).map(|(&world, &bind)| world * bind).collect()
}

fn to_f64(all: &[Mat4]) -> Vec<DMat4> {
    all.iter().map(Mat4::as_dmat4).collect()
}

fn to_f32(all: &[DMat4]) -> Vec<Mat4> {
    all.iter().map(DMat4::as_mat4).collect()
}

/// Describes the mistake that a repair undoes. `factor` names the wrong factor, `local` the
/// local matrices that it is computed from.
fn describe_repair(repair: &BindRepair, [factor, local]: [&str; 2]) -> Option<String> {
    let what = match repair {
        BindRepair::Inverted if factor == "world" => format!("{factor} matrices inverted"),
        BindRepair::Inverted => "bind matrices that are not inverted".to_owned(),
        BindRepair::Accumulated => format!("{local} matrices: the parents are missing in them"),
        BindRepair::Transposed => {
            format!("{factor} matrices transposed: rows where columns belong")
        }
        BindRepair::Mirrored(axis) => format!(
            "{factor} matrices mirrored in {}, of the other handedness, and the other factor not",
            axis.name()
        ),
        BindRepair::Turned(quarters) => format!(
            "{factor} matrices in other axes, turned by {}° about x, and the other factor not",
            -90 * i32::from(*quarters)
        ),
        BindRepair::Scaled(scale) => {
            format!("{factor} matrices whose translations are {}", describe_factor(1.0 / scale))
        }
        // Matrices of other joints are found by `find_order`.
        _ => return None,
    };
    Some(format!("joint matrices with {what}"))
}

/// Describes a palette whose numbers are ours, packed as 3 × 4 and read as 4 × 4, or the
/// other way round. Returns `None` if it is no such palette.
pub(super) fn find_packing(given: &[Mat4], ours: &PageNumbers<'_>) -> Option<String> {
    let right = Packing::ALL.map(|packing| (packing, packing.pack(ours.palette())));
    for read in Packing::ALL {
        let theirs = read.pack(given);
        for (packed, ours_packed) in &right {
            // Two packings of 16 numbers are different matrices, not different cuts.
            if packed.size() == read.size() && packed.size() == 16 || *packed == read {
                continue;
            }
            // The last matrix may be incomplete, or contain numbers from beyond the end.
            let shared_count = theirs.len().min(ours_packed.len());
            let is_whole = shared_count >= 32 || given.len() == ours.palette().len();
            let are_same = theirs.iter().zip(ours_packed).all(|(a, b)| {
                let size = 1.0 + a.abs().max(b.abs());
                apart(*a, *b) <= PART * size + ours.precision.slack(size)
            });
            if is_whole && are_same && shared_count >= 24 {
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

/// Memory layout of the numbers of a matrix.
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

    fn pack(self, matrices: &[Mat4]) -> Vec<f32> {
        matrices.iter().flat_map(|matrix| self.numbers(matrix)).collect()
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
