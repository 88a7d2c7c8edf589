//! Chooses the instructions, and shares large meshes among the cores.

use std::cell::RefCell;

use fearless_simd::Level;
use glam::{Mat3, Mat4, Vec3, Vec4};

use super::apply::{BlockVertices, MatrixSource, apply, move_tangents};
use super::dual::{self, Dual, DualSource};
use super::lanes::LaneOps;
use super::linear::{self, Entries, KernelPalette};
use super::{BLOCK, BlockRows, MatrixRows, VertexGroups};
use crate::JointMotion;

/// Vertices from which on more than one core works: below, waking another takes
/// longer than it saves.
#[cfg(not(target_arch = "wasm32"))]
const SHARED_FROM: usize = 1 << 17;
/// No core gets fewer.
#[cfg(not(target_arch = "wasm32"))]
const SHARE: usize = 1 << 14;

/// What is stored of vertices, in bind space.
#[derive(Clone, Copy, Debug, Default)]
pub struct BindVertices<'a> {
    /// One a vertex.
    pub positions: &'a [Vec3],
    /// One a vertex, or none at all.
    pub normals: &'a [Vec3],
    /// One a vertex, the handedness in w; or none at all.
    pub tangents: &'a [Vec4],
}

/// Where moved vertices are written to, in world space.
#[derive(Debug, Default)]
pub struct WorldVertices<'a> {
    /// One a vertex.
    pub positions: &'a mut [Vec3],
    /// One a vertex, of unit length, or zero where the mesh has collapsed. None at
    /// all: normals are not wanted.
    pub normals: &'a mut [Vec3],
    /// One a vertex, as [`moved_tangent`](super::super::moved_tangent). None at all:
    /// tangents are not wanted.
    pub tangents: &'a mut [Vec4],
}

/// Moves whole meshes; keeps what it needs in memory for the next time.
#[derive(Debug)]
pub struct Skinner {
    rows: KernelPalette<MatrixRows>,
    motions: KernelPalette<Dual>,
    how: How,
}

thread_local! {
    static SKINNER: RefCell<Skinner> = RefCell::default();
}

/// Lends the skinner of this thread. Whoever has it does not ask for it again.
pub fn with_skinner<R>(work: impl FnOnce(&mut Skinner) -> R) -> R {
    SKINNER.with(|skinner| match skinner.try_borrow_mut() {
        Ok(mut skinner) => work(&mut skinner),
        Err(_) => work(&mut Skinner::default()),
    })
}

/// By which instructions, and by how many cores.
#[derive(Clone, Copy, Debug)]
struct How {
    level: Level,
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "a browser's program has one core anyway")
    )]
    one_core: bool,
}

impl Default for Skinner {
    fn default() -> Self {
        Self::with(How { level: Level::new(), one_core: false })
    }
}

impl Skinner {
    /// One that leaves the other cores alone.
    pub fn on_one_core() -> Self {
        Self::with(How { level: Level::new(), one_core: true })
    }

    /// By some instructions of those that there are.
    #[cfg(test)]
    pub(super) fn at_level(level: Level) -> Self {
        let one_core = true;
        Self::with(How { level, one_core })
    }

    fn with(how: How) -> Self {
        Self { rows: KernelPalette::default(), motions: KernelPalette::default(), how }
    }

    /// Linear blend: `Σ wᵢ · world_from_bind[jᵢ]` moves positions and tangents, and
    /// normals by its inverse transpose. An index past the palette counts as the identity. A
    /// vertex without a weight falls to the origin.
    ///
    /// Moves as many vertices as all of the slices and the groups have; others in
    /// `moved` stay as they are.
    pub fn linear(
        &mut self,
        groups: &VertexGroups,
        world_from_bind: &[Mat4],
        stored: BindVertices<'_>,
        moved: WorldVertices<'_>,
    ) {
        let rows = world_from_bind.iter().map(MatrixRows::of);
        let Some(palette) = self.rows.fill(groups, rows, MatrixRows::of(&Mat4::IDENTITY)) else {
            return;
        };
        let method = KernelBlending::Linear(palette);
        Job { groups, method }.run(stored, moved, self.how);
    }

    /// The same by dual quaternions: as
    /// [`dual_quaternion_matrix`](super::super::dual_quaternion_matrix).
    pub fn dual_quaternion(
        &mut self,
        groups: &VertexGroups,
        motions: &[JointMotion],
        stored: BindVertices<'_>,
        moved: WorldVertices<'_>,
    ) {
        let duals = motions.iter().map(Dual::of);
        let Some(palette) = self.motions.fill(groups, duals, Dual::REST) else {
            return;
        };
        let stretches = motions.iter().map(|motion| dual::stretch_rows(motion.stretch));
        let is_rigid = motions.iter().all(JointMotion::is_rigid);
        let stretches = if is_rigid {
            None
        } else {
            self.rows.fill(groups, stretches, dual::stretch_rows(Mat3::IDENTITY))
        };
        let method = KernelBlending::Dual(palette, stretches);
        Job { groups, method }.run(stored, moved, self.how);
    }
}

#[derive(Clone, Copy)]
enum KernelBlending<'a> {
    Linear(Entries<'a, MatrixRows>),
    /// Where some joint is not rigid, with stretches.
    Dual(Entries<'a, Dual>, Option<Entries<'a, MatrixRows>>),
}

/// What is done to every block.
#[derive(Clone, Copy)]
struct Job<'a> {
    groups: &'a VertexGroups,
    method: KernelBlending<'a>,
}

/// Some blocks of stored and moved vertices, as many of each.
struct VertexShare<'a> {
    first_block: usize,
    stored: BindVertices<'a>,
    moved: WorldVertices<'a>,
}

impl Job<'_> {
    fn run(self, stored: BindVertices<'_>, moved: WorldVertices<'_>, how: How) {
        let WorldVertices { positions, normals, tangents } = moved;
        let mut count = self.groups.vertices();
        count = count.min(stored.positions.len()).min(positions.len());
        let normal_count = both(stored.normals.len(), normals.len());
        let tangent_count = both(stored.tangents.len(), tangents.len());
        for also in [normal_count, tangent_count].into_iter().flatten() {
            count = count.min(also);
        }
        let normal_count = normal_count.map_or(0, |_| count);
        let tangent_count = tangent_count.map_or(0, |_| count);
        let share = VertexShare {
            first_block: 0,
            stored: BindVertices {
                positions: &stored.positions[..count],
                normals: &stored.normals[..normal_count],
                tangents: &stored.tangents[..tangent_count],
            },
            moved: WorldVertices {
                positions: &mut positions[..count],
                normals: &mut normals[..normal_count],
                tangents: &mut tangents[..tangent_count],
            },
        };
        #[cfg(not(target_arch = "wasm32"))]
        if !how.one_core && count >= SHARED_FROM {
            self.run_shared(share, how.level);
            return;
        }
        self.run_here(share, how.level);
    }

    /// One part a core: the others get theirs, and this thread does its own instead
    /// of sleeping until they are done.
    #[cfg(not(target_arch = "wasm32"))]
    fn run_shared(self, share: VertexShare<'_>, level: Level) {
        let blocks = share.stored.positions.len().div_ceil(BLOCK);
        let most = (blocks * BLOCK / SHARE).max(1);
        let cores = rayon::current_num_threads().clamp(1, most);
        let each = blocks.div_ceil(cores);
        rayon::in_place_scope(|scope| {
            let mut rest = share;
            for _ in 1..cores {
                let (one, other) = rest.split(each);
                rest = other;
                scope.spawn(move |_| self.run_here(one, level));
            }
            self.run_here(rest, level);
        });
    }

    fn run_here(self, share: VertexShare<'_>, level: Level) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = level.as_avx2() {
            self.run_with(avx2, share);
        } else if let Some(sse2) = level.as_sse2() {
            self.run_with(sse2, share);
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(neon) = level.as_neon() {
            self.run_with(neon, share);
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        if let Some(simd128) = level.as_wasm_simd128() {
            self.run_with(simd128, share);
        }
        #[cfg(not(any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        if let Level::Fallback(fallback) = level {
            self.run_with(fallback, share);
        }
    }

    fn run_with<S: LaneOps>(self, simd: S, share: VertexShare<'_>) {
        simd.vectorize(
            #[inline(always)]
            || self.run_on(simd, share),
        );
    }

    #[inline(always)]
    fn run_on<S: LaneOps>(self, simd: S, share: VertexShare<'_>) {
        let mut scratch: [BlockRows; 2] = [[MatrixRows::default(); BLOCK]; 2];
        let [rows, stretches] = &mut scratch;
        let VertexShare { first_block, stored, moved } = share;
        let mut normals = stored.normals.chunks(BLOCK).zip(moved.normals.chunks_mut(BLOCK));
        let mut tangents = stored.tangents.chunks(BLOCK).zip(moved.tangents.chunks_mut(BLOCK));
        let positions = stored.positions.chunks(BLOCK).zip(moved.positions.chunks_mut(BLOCK));
        for (number, positions) in (first_block..).zip(positions) {
            let vertices = BlockVertices { positions, normals: normals.next() };
            let tangents = tangents.next();
            let Some(block) = self.groups.block(number) else {
                return;
            };
            match self.method {
                KernelBlending::Linear(palette) => {
                    linear::blend(simd, self.groups, &block, palette, rows);
                    apply(simd, rows, vertices);
                    apply_to_tangents(simd, rows, tangents);
                }
                KernelBlending::Dual(palette, stretch_palette) => {
                    dual::blend(simd, self.groups, &block, palette, rows);
                    let stretches = stretch_palette.map(|palette| {
                        linear::blend(simd, self.groups, &block, palette, stretches);
                        &*stretches
                    });
                    let motions = &*rows;
                    let source = DualSource { motions, stretches };
                    apply(simd, &source, vertices);
                    apply_to_tangents(simd, &source, tangents);
                }
            }
        }
    }
}

#[inline(always)]
fn apply_to_tangents<S: LaneOps>(
    simd: S,
    source: &impl MatrixSource<S>,
    tangents: Option<(&[Vec4], &mut [Vec4])>,
) {
    if let Some((from, to)) = tangents {
        move_tangents(simd, source, from, to);
    }
}

impl VertexShare<'_> {
    /// So many blocks, or all that there are, and the rest.
    #[cfg(not(target_arch = "wasm32"))]
    fn split(self, blocks: usize) -> (Self, Self) {
        let at = (blocks * BLOCK).min(self.stored.positions.len());
        let Self { first_block, stored, moved } = self;
        let (normals_at, tangents_at) =
            (at.min(stored.normals.len()), at.min(stored.tangents.len()));
        let positions = stored.positions.split_at(at);
        let normals = stored.normals.split_at(normals_at);
        let tangents = stored.tangents.split_at(tangents_at);
        let moved_positions = moved.positions.split_at_mut(at);
        let moved_normals = moved.normals.split_at_mut(normals_at);
        let moved_tangents = moved.tangents.split_at_mut(tangents_at);
        (
            Self {
                first_block,
                stored: BindVertices {
                    positions: positions.0,
                    normals: normals.0,
                    tangents: tangents.0,
                },
                moved: WorldVertices {
                    positions: moved_positions.0,
                    normals: moved_normals.0,
                    tangents: moved_tangents.0,
                },
            },
            Self {
                first_block: first_block + blocks,
                stored: BindVertices {
                    positions: positions.1,
                    normals: normals.1,
                    tangents: tangents.1,
                },
                moved: WorldVertices {
                    positions: moved_positions.1,
                    normals: moved_normals.1,
                    tangents: moved_tangents.1,
                },
            },
        )
    }
}

/// How many are moved of what is stored and wanted; `None`: nothing.
fn both(stored: usize, wanted: usize) -> Option<usize> {
    Some(stored.min(wanted)).filter(|&count| count > 0)
}
