//! In which space a model was written, seen from another: by its joints, and by its stored
//! vertices where joints and matrices stayed.

use std::collections::HashMap;

use bindpose_asset::doctor::known_factor;
use bindpose_asset::{Cancelled, ClipAt, Pace, Rig, bounds_of};
use bindpose_skin::{JointIndex, LANES, Method};
use glam::{DMat3, DVec3, Mat4, Vec3};

use crate::differences::{SAME, axes_differ, factor_words, longest_side, plain_turns};
use crate::engine_numbers::changes_of_places;
use crate::number_text::fixed;

/// Numbers of a matrix.
pub(super) const MATRIX: usize = 16;
/// So many joints may stand in one place with others by chance.
const FEW: usize = 2;

/// A change of axes or units.
pub(super) struct Space {
    /// Takes places of A to those of B.
    pub(super) b_from_a: Mat4,
    /// What it is; `None`: nothing is changed, or nothing known.
    pub(super) words: Option<String>,
}

impl Space {
    /// Nothing is changed, or nothing known.
    fn same() -> Self {
        Self { b_from_a: Mat4::IDENTITY, words: None }
    }

    /// A matrix between spaces of A as B would have it: `C · M · C⁻¹`.
    pub(super) fn of(&self, matrix: &Mat4) -> Mat4 {
        self.b_from_a * *matrix * self.b_from_a.inverse()
    }

    /// How long what is 1 in A is in B.
    pub(super) fn scale(&self) -> f32 {
        self.b_from_a.transform_vector3(Vec3::X).length()
    }

    /// How far a place of B is from where A has it, in units of A.
    pub(super) fn distance(&self, in_a: Vec3, in_b: Vec3) -> f32 {
        self.b_from_a.transform_point3(in_a).distance(in_b) / self.scale()
    }
}

/// The plainest change that takes most joints of A to those of B; none where no change
/// takes more than half of them. Without pairs, it takes joints to some joint of the
/// other, and takes all where there are no more than a few.
pub(super) async fn space_between(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    pairs: &[(JointIndex, JointIndex)],
    most: f32,
    pace: &Pace,
) -> Result<Space, Cancelled> {
    let place = |at: &AtRest<'_>, joint: JointIndex| {
        let matrix = at.world_from_joint.get(joint.index());
        matrix.map(|matrix| matrix.w_axis.truncate())
    };
    let places: Vec<(Vec3, Vec3)> =
        pairs.iter().filter_map(|&(of_a, of_b)| Some((place(a, of_a)?, place(b, of_b)?))).collect();
    let mut fitting: Vec<(Space, usize)> = Vec::new();
    for space in std::iter::once(Space::same()).chain(changes(unit(&places))) {
        let (fit, of) = if places.is_empty() {
            fits_anywhere(a, b, (&space, most), pace).await?
        } else {
            pace.spend(places.len() * MATRIX).await?;
            let near = |pair: &&(Vec3, Vec3)| space.distance(pair.0, pair.1) <= most;
            (places.iter().filter(near).count(), places.len())
        };
        let enough = if places.is_empty() { FEW } else { 0 };
        if fit == of || (fit > of / 2 && fit > enough) {
            fitting.push((space, fit));
        }
    }
    let largest = fitting.iter().map(|(_, fit)| *fit).max();
    fitting.retain(|(_, fit)| Some(*fit) == largest);
    // Joints on a line stand where they were after a turn about it: axes and clips tell.
    let mut best: Option<(Space, f64)> = None;
    for (space, _) in fitting {
        let axes = share_of_axes(a, b, pairs, &space, pace).await?;
        let told = axes + share_of_clips(a, b, pairs, (&space, most), pace).await?;
        if best.as_ref().is_none_or(|best| told > best.1) {
            best = Some((space, told));
        }
    }
    Ok(best.map_or_else(Space::same, |best| best.0))
}

/// How many joints of the model with fewer are where the other has one, and how many it
/// has.
async fn fits_anywhere(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, most): (&Space, f32),
    pace: &Pace,
) -> Result<(usize, usize), Cancelled> {
    let of_a = a.joint_places();
    let of_a = of_a.map(|place| space.b_from_a.transform_point3(place) / space.scale());
    let of_b = b.joint_places().map(|place| place / space.scale());
    let (mut few, mut many): (Vec<Vec3>, Vec<Vec3>) = (of_a.collect(), of_b.collect());
    if few.len() > many.len() {
        std::mem::swap(&mut few, &mut many);
    }
    pace.spend((few.len() + many.len()) * MATRIX).await?;
    let numbered = many.iter().enumerate();
    let grid = PointGrid::new(numbered.map(|(at, place)| (at as u32, *place, 0)), most);
    let mut fit = 0;
    for place in &few {
        let mut looked_at = 0;
        let near = grid.near(*place, 0).any(|found| {
            looked_at += 1;
            let other = many.get(found.number as usize);
            other.is_some_and(|other| other.distance(*place) <= most)
        });
        pace.spend(MATRIX + looked_at).await?;
        fit += usize::from(near);
    }
    Ok((fit, few.len()))
}

/// Of how many joints the axes become those of B, 0 to 1.
async fn share_of_axes(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    pairs: &[(JointIndex, JointIndex)],
    space: &Space,
    pace: &Pace,
) -> Result<f64, Cancelled> {
    pace.spend(pairs.len() * MATRIX).await?;
    let fit = pairs.iter().filter(|&&(of_a, of_b)| {
        let of_a = a.world_from_joint.get(of_a.index());
        let there = of_a.zip(b.world_from_joint.get(of_b.index()));
        there.is_none_or(|(of_a, of_b)| axes_differ(&space.of(of_a), of_b) <= SAME)
    });
    Ok(share(fit.count(), pairs.len()))
}

/// How many joints the first clips of one name take to where those of B are, 0 to 1.
async fn share_of_clips(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    pairs: &[(JointIndex, JointIndex)],
    (space, most): (&Space, f32),
    pace: &Pace,
) -> Result<f64, Cancelled> {
    const CLIPS: usize = 3;
    let named = (0..).zip(&a.rig.clips).filter_map(|(clip, of_a)| {
        let mut there = b.rig.clips.iter();
        let same = there.position(|of_b| of_b.name == of_a.name)?;
        Some((clip, same, f64::from(of_a.duration_secs) * 0.37))
    });
    let (mut fit, mut of) = (0, 0);
    for (of_a, of_b, time_secs) in named.take(CLIPS) {
        let joints = a.world_from_joint.len() + b.world_from_joint.len();
        pace.spend((joints + pairs.len()) * MATRIX).await?;
        let worlds =
            [(a, of_a), (b, of_b)].map(|(at, clip)| at.world_from_joint_at(clip, time_secs));
        of += pairs.len();
        let there = pairs.iter().filter(|&&(of_a, of_b)| {
            let there = worlds[0].get(of_a.index()).zip(worlds[1].get(of_b.index()));
            there.is_none_or(|(of_a, of_b)| {
                let off = space.distance(of_a.w_axis.truncate(), of_b.w_axis.truncate());
                off <= most * 10.0 && axes_differ(&space.of(of_a), of_b) <= 1e-2
            })
        });
        fit += there.count();
    }
    Ok(share(fit, of))
}

/// All of nothing is all.
fn share(fit: usize, of: usize) -> f64 {
    if of == 0 { 1.0 } else { fit as f64 / of as f64 }
}

/// A unit of B that no name is known for, by how far apart joints stand: its words, and
/// the change.
fn unit(places: &[(Vec3, Vec3)]) -> Option<(String, Mat4)> {
    const MANY: usize = 3;
    let count = places.len() as f32;
    let middle = |of: fn(&(Vec3, Vec3)) -> Vec3| places.iter().map(of).sum::<Vec3>() / count;
    let spread = |of: fn(&(Vec3, Vec3)) -> Vec3| {
        let middle = middle(of);
        places.iter().map(|pair| f64::from(of(pair).distance_squared(middle))).sum::<f64>().sqrt()
    };
    let factor = spread(|pair| pair.1) / spread(|pair| pair.0);
    let known = known_factor(factor);
    let factor = known.map_or(factor, |known| known.0);
    let named = [1.0, 100.0, 0.01].iter().any(|known| (factor / known - 1.0).abs() < 1e-3);
    if places.len() < MANY || named || !factor.is_normal() {
        return None;
    }
    let into = known.map_or(String::new(), |(_, words)| format!(": {words}"));
    let words = format!("with positions {} times as large{into}", fixed(factor, 4));
    Some((words, Mat4::from_scale(Vec3::splat(factor as f32))))
}

/// Each change alone, then other axes and another unit together.
fn changes(unit: Option<(String, Mat4)>) -> Vec<Space> {
    let known = changes_of_places().map(|(words, change)| (words.to_owned(), change));
    let (units, axes): (Vec<_>, Vec<_>) =
        known.chain(unit).partition(|(_, change)| (change.determinant().abs() - 1.0).abs() > 1e-3);
    let alone = axes
        .iter()
        .chain(&units)
        .map(|(words, b_from_a)| Space { b_from_a: *b_from_a, words: Some(words.clone()) });
    let both = axes.iter().flat_map(|(of_axes, turn)| {
        units.iter().map(move |(of_units, scale)| Space {
            b_from_a: *scale * *turn,
            words: Some(format!("{of_axes} and {of_units}")),
        })
    });
    alone.chain(both).collect()
}

// What was done to all vertices of a model alike, where joints and matrices stayed.

/// A change of stored positions.
pub(super) struct MeshChange {
    /// `mirrored in z, moved by (0.00, 1.00, 0.00)`.
    pub(super) words: String,
    /// Takes stored positions of A to those of B.
    pub(super) space: Space,
    /// Does it turn what is outside inside, unless corners change their order?
    pub(super) mirrors: bool,
}

/// How B's stored vertices came of A's, vertex by vertex; `None`: there are not as many,
/// they are where they were, or no mirror, turn by quarters, scale and move does it.
/// `most`: how far those in one place are apart, in units of A.
pub(super) async fn mesh_change(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, most): (&Space, f32),
    pace: &Pace,
) -> Result<Option<MeshChange>, Cancelled> {
    let (of_a, of_b) = (&a.rig.mesh.positions, &b.rig.mesh.positions);
    if of_a.len() != of_b.len() || of_a.len() < 4 {
        return Ok(None);
    }
    let most = f64::from(most * space.scale()) * 2.0;
    pace.spend(of_a.len() * LANES).await?;
    let places = |all: &[Vec3], from: Mat4| -> Vec<DVec3> {
        all.iter().map(|place| from.transform_point3(*place).as_dvec3()).collect()
    };
    let (of_a, of_b) = (places(of_a, space.b_from_a), places(of_b, Mat4::IDENTITY));
    let near = |change: &dyn Fn(DVec3) -> DVec3, most: f64| {
        of_a.iter().zip(&of_b).all(|(from, to)| change(*from).distance(*to) <= most)
    };
    if near(&|place| place, most) {
        return Ok(None);
    }
    let turns = plain_turns().into_iter().map(|(words, turn)| (words, turn.as_dmat3()));
    for (turned, turn) in std::iter::once((String::new(), DMat3::IDENTITY)).chain(turns) {
        pace.spend(of_a.len() * LANES).await?;
        let Some((scale, shift)) = fitted(&of_a, &of_b, turn) else { continue };
        // What is scaled up is off by as much more.
        let most = most * scale.max(1.0);
        let scale = if (scale - 1.0).abs() < 1e-4 { 1.0 } else { scale };
        let shift = if shift.length() <= most { DVec3::ZERO } else { shift };
        if !near(&|place| scale * (turn * place) + shift, 2.0 * most) {
            continue;
        }
        let mut words = Vec::new();
        if !turned.is_empty() {
            words.push(turned);
        }
        if scale != 1.0 {
            words.push(factor_words(scale).replace("times ours", "times as large"));
        }
        if shift != DVec3::ZERO {
            let [x, y, z] = shift.to_array().map(|number| fixed(number, 3));
            words.push(format!("moved by ({x}, {y}, {z}) units of B"));
        }
        let change =
            Mat4::from_translation(shift.as_vec3()) * Mat4::from_mat3((turn * scale).as_mat3());
        return Ok(Some(MeshChange {
            words: words.join(", "),
            space: Space { b_from_a: change * space.b_from_a, words: None },
            mirrors: turn.determinant() < 0.0,
        }));
    }
    Ok(None)
}

/// The scale and the move that bring them nearest after a turn, by least squares.
fn fitted(of_a: &[DVec3], of_b: &[DVec3], turn: DMat3) -> Option<(f64, DVec3)> {
    let count = of_a.len().max(1) as f64;
    let from = of_a.iter().map(|place| turn * *place).sum::<DVec3>() / count;
    let to = of_b.iter().sum::<DVec3>() / count;
    let (mut along, mut square) = (0.0, 0.0);
    for (a, b) in of_a.iter().zip(of_b) {
        let (a, b) = (turn * *a - from, *b - to);
        along += a.dot(b);
        square += a.length_squared();
    }
    let scale = along / square;
    (scale.is_finite() && scale > 0.0).then(|| (scale, to - scale * from))
}

// A model at rest, and where its clips put its joints.

/// One of the two, at rest.
pub(super) struct AtRest<'a> {
    pub(super) rig: &'a Rig,
    pub(super) world_from_joint: Vec<Mat4>,
    pub(super) joint_from_bind: Vec<Mat4>,
    /// Skinned, in the world.
    pub(super) positions: Vec<Vec3>,
}

impl<'a> AtRest<'a> {
    pub(super) fn of(rig: &'a Rig) -> Self {
        let posed = rig.posed(|_| None);
        let world_from_joint = rig.skeleton.world_from_joint(&posed.pose);
        let world_from_bind = posed.world_from_bind(&rig.skeleton);
        let mesh = &rig.mesh;
        let moved = mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
        Self {
            rig,
            world_from_joint,
            joint_from_bind: posed.joint_from_bind,
            positions: moved.positions,
        }
    }

    /// `world_from_joint` of all joints while a clip of its rig plays alone.
    pub(super) fn world_from_joint_at(&self, clip: usize, time_secs: f64) -> Vec<Mat4> {
        let playing = [ClipAt { clip, time_secs, share: 1.0 }];
        let posed = self.rig.posed_in(&playing, |_| None);
        self.rig.skeleton.world_from_joint(&posed.pose)
    }

    pub(super) fn joint_places(&self) -> impl Iterator<Item = Vec3> {
        let places = self.world_from_joint.iter();
        places.map(|matrix| matrix.w_axis.truncate())
    }

    /// Of the mesh, or of the skeleton where that is larger; never 0.
    pub(super) fn size(&self) -> f32 {
        let joints: Vec<Vec3> = self.joint_places().collect();
        let size = |points: &[Vec3]| longest_side(bounds_of(points));
        let size = size(&self.positions).max(size(&joints));
        if size.is_finite() { size.max(1e-6) } else { 1.0 }
    }
}

// Points by where they are, each taken once.

/// Points that are looked at for one place. More than these stand closer together than
/// exporters round only where there are many copies of one point, and those all fit.
const LOOKED_AT: usize = 512;

/// Numbers of points by cell and class; of one place, the lowest number first.
pub(super) struct PointGrid {
    cell: f32,
    cells: HashMap<Key, Vec<u32>>,
}

/// A point that was found, until another is taken.
#[derive(Clone, Copy)]
pub(super) struct FoundPoint {
    /// Its number.
    pub(super) number: u32,
    key: Key,
    slot: usize,
}

type Key = ([i32; 3], u64);

impl PointGrid {
    /// `points`: the number of each, where it is, and its class, in the order of the
    /// numbers. `reach`: how far from a place its points may be.
    pub(super) fn new<P>(points: P, reach: f32) -> Self
    where
        P: Iterator<Item = (u32, Vec3, u64)> + DoubleEndedIterator,
    {
        let mut grid = Self { cell: reach * 2.0, cells: HashMap::new() };
        for (number, place, class) in points.rev() {
            let key = (cell_of(place, grid.cell), class);
            grid.cells.entry(key).or_default().push(number);
        }
        grid
    }

    /// The first points of a class that may be within reach, and perhaps others.
    pub(super) fn near(&self, place: Vec3, class: u64) -> impl Iterator<Item = FoundPoint> {
        let middle = cell_of(place, self.cell);
        // The cell of the place itself is the first.
        let around = (0..27).map(move |at| {
            let at = (at + 13) % 27;
            let step = [at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1];
            [0, 1, 2].map(|axis: usize| middle[axis].saturating_add(step[axis]))
        });
        let found = around.flat_map(move |cell| {
            let key = (cell, class);
            let cell = self.cells.get(&key).map_or(&[][..], Vec::as_slice);
            let slots = cell.iter().enumerate();
            slots.rev().map(move |(slot, &number)| FoundPoint { number, key, slot })
        });
        found.take(LOOKED_AT)
    }

    /// It is not found again.
    pub(super) fn take(&mut self, found: FoundPoint) {
        if let Some(cell) = self.cells.get_mut(&found.key)
            && found.slot < cell.len()
        {
            cell.swap_remove(found.slot);
        }
    }
}

/// What is too far out, or no number, is in the last cell.
fn cell_of(place: Vec3, cell: f32) -> [i32; 3] {
    (place / cell).to_array().map(|at| at.floor() as i32)
}
