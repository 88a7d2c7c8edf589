//! Detection of the instruction set, and distribution of large meshes over the cores.

use std::cell::RefCell;

use fearless_simd::Level;
use glam::{Mat3, Mat4, Vec3, Vec4};

use super::apply::{BlockVertices, MatrixSource, apply, move_tangents};
use super::dual::{self, DualQuaternion, DualSource};
use super::lanes::LaneOps;
use super::linear::{self, KernelPalette, PaletteEntries};
use super::{BLOCK_SIZE, BlockRows, MatrixRows, VertexGroups};
use crate::JointMotion;

/// Minimum number of vertices for which several cores are used. For smaller meshes it takes
/// longer to wake another core than that core saves.
#[cfg(not(target_arch = "wasm32"))]
const MIN_PARALLEL_VERTICES: usize = 1 << 17;
#[cfg(not(target_arch = "wasm32"))]
const MIN_VERTICES_PER_CORE: usize = 1 << 14;

/// The stored attributes of vertices, in bind space: the input of a [`Skinner`].
#[derive(Clone, Copy, Debug, Default)]
pub struct BindVertices<'a> {
    /// The position of each vertex.
    pub positions: &'a [Vec3],
    /// The normal of each vertex. Empty if the mesh has none.
    pub normals: &'a [Vec3],
    /// The tangent of each vertex, with the handedness in w. Empty if the mesh has none.
    pub tangents: &'a [Vec4],
}

/// Buffers for skinned vertices, in world space: the output of a [`Skinner`].
#[derive(Debug, Default)]
pub struct WorldVertices<'a> {
    /// The position of each vertex.
    pub positions: &'a mut [Vec3],
    /// The normal of each vertex, of unit length, or zero where the surface collapses.
    /// Normals are not computed if this is empty.
    pub normals: &'a mut [Vec3],
    /// The tangent of each vertex, as by [`moved_tangent`](super::super::moved_tangent).
    /// Tangents are not computed if this is empty.
    pub tangents: &'a mut [Vec4],
}

/// Skins whole meshes. Keeps its buffers for the next mesh.
#[derive(Debug)]
pub struct Skinner {
    rows: KernelPalette<MatrixRows>,
    motions: KernelPalette<DualQuaternion>,
    execution: Execution,
}

thread_local! {
    static SKINNER: RefCell<Skinner> = RefCell::default();
}

/// Calls `work` with the skinner of this thread, which keeps its buffers between calls.
///
/// A nested call gets a new skinner with buffers of its own.
pub fn with_skinner<R>(work: impl FnOnce(&mut Skinner) -> R) -> R {
    SKINNER.with(|skinner| match skinner.try_borrow_mut() {
        Ok(mut skinner) => work(&mut skinner),
        Err(_) => work(&mut Skinner::default()),
    })
}

/// The instruction set and the use of cores.
#[derive(Clone, Copy, Debug)]
struct Execution {
    level: Level,
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "a browser's program has one core anyway")
    )]
    is_single_core: bool,
}

impl Default for Skinner {
    fn default() -> Self {
        Self::with_execution(Execution { level: Level::new(), is_single_core: false })
    }
}

impl Skinner {
    /// Creates a skinner that uses only the calling thread.
    pub fn on_one_core() -> Self {
        Self::with_execution(Execution { level: Level::new(), is_single_core: true })
    }

    /// Creates a skinner that uses one of the supported instruction sets.
    #[cfg(test)]
    pub(super) fn at_level(level: Level) -> Self {
        Self::with_execution(Execution { level, is_single_core: true })
    }

    fn with_execution(execution: Execution) -> Self {
        Self { rows: KernelPalette::default(), motions: KernelPalette::default(), execution }
    }

    /// Skins a mesh by linear blending.
    ///
    /// `Σ wᵢ · world_from_bind[jᵢ]` transforms positions and tangents, and its inverse
    /// transpose normals. A joint index past the palette counts as the identity. A vertex
    /// without weights ends at the origin.
    ///
    /// Processes the first vertices, as many as there are in `groups` and in every slice that
    /// is used. Does not write to the rest of `moved`.
    pub fn linear(
        &mut self,
        groups: &VertexGroups,
        world_from_bind: &[Mat4],
        stored: BindVertices<'_>,
        moved: WorldVertices<'_>,
    ) {
        let rows = world_from_bind.iter().map(MatrixRows::new);
        let Some(palette) = self.rows.fill(groups, rows, MatrixRows::new(&Mat4::IDENTITY)) else {
            return;
        };
        let method = KernelBlending::Linear(palette);
        SkinJob { groups, method }.run(stored, moved, self.execution);
    }

    /// Skins a mesh by dual quaternion blending, as by
    /// [`dual_quaternion_matrix`](super::super::dual_quaternion_matrix).
    ///
    /// Processes as many vertices as [`Self::linear`].
    pub fn dual_quaternion(
        &mut self,
        groups: &VertexGroups,
        motions: &[JointMotion],
        stored: BindVertices<'_>,
        moved: WorldVertices<'_>,
    ) {
        let rigid_motions = motions.iter().map(DualQuaternion::new);
        let Some(palette) = self.motions.fill(groups, rigid_motions, DualQuaternion::IDENTITY)
        else {
            return;
        };
        let stretches = motions.iter().map(|motion| dual::stretch_rows(motion.stretch));
        let is_rigid = motions.iter().all(JointMotion::is_rigid);
        let stretches = if is_rigid {
            None
        } else {
            self.rows.fill(groups, stretches, dual::stretch_rows(Mat3::IDENTITY))
        };
        let method = KernelBlending::DualQuaternion { palette, stretches };
        SkinJob { groups, method }.run(stored, moved, self.execution);
    }
}

#[derive(Clone, Copy)]
enum KernelBlending<'a> {
    Linear(PaletteEntries<'a, MatrixRows>),
    DualQuaternion {
        palette: PaletteEntries<'a, DualQuaternion>,
        /// The stretch of each joint. `None` if all joints are rigid.
        stretches: Option<PaletteEntries<'a, MatrixRows>>,
    },
}

/// The computation for the vertices of a mesh.
#[derive(Clone, Copy)]
struct SkinJob<'a> {
    groups: &'a VertexGroups,
    method: KernelBlending<'a>,
}

/// Consecutive blocks of vertices: equally many stored and moved ones.
struct VertexShare<'a> {
    first_block: usize,
    stored: BindVertices<'a>,
    moved: WorldVertices<'a>,
}

impl SkinJob<'_> {
    fn run(self, stored: BindVertices<'_>, moved: WorldVertices<'_>, execution: Execution) {
        let WorldVertices { positions, normals, tangents } = moved;
        let has_normals = !stored.normals.is_empty() && !normals.is_empty();
        let has_tangents = !stored.tangents.is_empty() && !tangents.is_empty();
        let mut count = self.groups.vertices();
        count = count.min(stored.positions.len()).min(positions.len());
        if has_normals {
            count = count.min(stored.normals.len()).min(normals.len());
        }
        if has_tangents {
            count = count.min(stored.tangents.len()).min(tangents.len());
        }
        let normal_count = if has_normals { count } else { 0 };
        let tangent_count = if has_tangents { count } else { 0 };
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
        if !execution.is_single_core && count >= MIN_PARALLEL_VERTICES {
            self.run_parallel(share, execution.level);
            return;
        }
        self.run_on_this_thread(share, execution.level);
    }

    /// Gives one part of the blocks to each core. This thread processes the last part itself
    /// instead of waiting for the others.
    #[cfg(not(target_arch = "wasm32"))]
    fn run_parallel(self, share: VertexShare<'_>, level: Level) {
        let block_count = share.stored.positions.len().div_ceil(BLOCK_SIZE);
        let max_cores = (block_count * BLOCK_SIZE / MIN_VERTICES_PER_CORE).max(1);
        let core_count = rayon::current_num_threads().clamp(1, max_cores);
        let blocks_per_core = block_count.div_ceil(core_count);
        rayon::in_place_scope(|scope| {
            let mut rest = share;
            for _ in 1..core_count {
                let (first, other) = rest.split(blocks_per_core);
                rest = other;
                scope.spawn(move |_| self.run_on_this_thread(first, level));
            }
            self.run_on_this_thread(rest, level);
        });
    }

    fn run_on_this_thread(self, share: VertexShare<'_>, level: Level) {
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
            || self.run_blocks(simd, share),
        );
    }

    #[inline(always)]
    fn run_blocks<S: LaneOps>(self, simd: S, share: VertexShare<'_>) {
        let mut scratch: [BlockRows; 2] = [[MatrixRows::default(); BLOCK_SIZE]; 2];
        let [rows, stretches] = &mut scratch;
        let VertexShare { first_block, stored, moved } = share;
        let positions =
            stored.positions.chunks(BLOCK_SIZE).zip(moved.positions.chunks_mut(BLOCK_SIZE));
        let mut normals =
            stored.normals.chunks(BLOCK_SIZE).zip(moved.normals.chunks_mut(BLOCK_SIZE));
        let mut tangents =
            stored.tangents.chunks(BLOCK_SIZE).zip(moved.tangents.chunks_mut(BLOCK_SIZE));
        for (block_index, positions) in (first_block..).zip(positions) {
            let vertices = BlockVertices { positions, normals: normals.next() };
            let tangents = tangents.next();
            let Some(block) = self.groups.block(block_index) else {
                return;
            };
            match self.method {
                KernelBlending::Linear(palette) => {
                    linear::blend(simd, self.groups, &block, palette, rows);
                    apply(simd, rows, vertices);
                    apply_to_tangents(simd, rows, tangents);
                }
                KernelBlending::DualQuaternion { palette, stretches: stretch_palette } => {
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
    /// Splits after a number of blocks. The second part is empty if there are fewer.
    #[cfg(not(target_arch = "wasm32"))]
    fn split(self, blocks: usize) -> (Self, Self) {
        let Self { first_block, stored, moved } = self;
        let at = (blocks * BLOCK_SIZE).min(stored.positions.len());
        let normals_at = at.min(stored.normals.len());
        let tangents_at = at.min(stored.tangents.len());
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
