//! The order in which triangles are drawn: those that share vertices one after the
//! other, so that the vertex shader runs once for a vertex and not once for every
//! triangle around it. Files seldom care. Nobody sees the order, and the lessons'
//! own numbers of triangles stay those of the file.

use meshopt_rs::vertex::cache::optimize_vertex_cache_fifo;

/// Vertices that a graphics card keeps between triangles, at least.
const KEPT: u32 = 16;

/// Places of a cache that finds a vertex by its number, as processors that draw have.
const PLACES: usize = 64;

/// Triangles that are put in order, a tenth of a second's work: nothing moves
/// meanwhile. In a browser, where the same frame has much else to do, fewer.
const MOST: usize = if cfg!(target_arch = "wasm32") { 1 << 15 } else { 1 << 20 };

/// The same triangles, their corners in the same order, for `count` vertices, of
/// which all corners must be. Takes time in proportion to both, whatever the mesh.
///
/// Sander, Nehab, Barczak 2007, "Fast triangle reordering for vertex locality and
/// reduced overdraw", section 3.
pub(super) fn ordered(triangles: Vec<[u32; 3]>, count: usize) -> Vec<[u32; 3]> {
    if triangles.len() > MOST {
        return triangles;
    }
    let mut ordered = vec![[0; 3]; triangles.len()];
    optimize_vertex_cache_fifo(ordered.as_flattened_mut(), triangles.as_flattened(), count, KEPT);
    // A grid that is told row by row may be better as it is.
    if shaded(&ordered) < shaded(&triangles) { ordered } else { triangles }
}

/// How often the vertex shader runs.
fn shaded(triangles: &[[u32; 3]]) -> usize {
    let mut places = [None; PLACES];
    let corners = triangles.as_flattened().iter();
    corners
        .filter(|&&corner| places[corner as usize % PLACES].replace(corner) != Some(corner))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles for each cell of a square grid, by rows.
    fn grid(side: u32) -> Vec<[u32; 3]> {
        let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
        cells.flat_map(|at| [[at, at + 1, at + side], [at + 1, at + side + 1, at + side]]).collect()
    }

    /// The same, far from each other: every 61st of them.
    fn scattered(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        let count = triangles.len();
        (0..count).map(|i| triangles[i * 61 % count]).collect()
    }

    fn sorted(mut triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn scattered_triangles_come_together_and_stay_the_same() {
        let file = scattered(&grid(40));
        let drawn = ordered(file.clone(), 1600);
        assert!(2 * shaded(&drawn) < shaded(&file), "{}", shaded(&drawn));
        assert_eq!(sorted(drawn), sorted(file));
    }

    #[test]
    fn what_is_in_good_order_stays_as_it_is() {
        let strip: Vec<[u32; 3]> = (0..50).map(|i| [i, i + 1, i + 2]).collect();
        assert_eq!(ordered(strip.clone(), 52), strip);
        assert!(ordered(Vec::new(), 0).is_empty());
    }

    /// One vertex in all of them, corners that are the same, none in common.
    #[test]
    fn meshes_that_no_order_helps_come_back_whole() {
        let fan: Vec<[u32; 3]> = (1..20_000).map(|i| [0, i, i + 1]).collect();
        let folded: Vec<[u32; 3]> = (0..300).map(|i| [i, i, (i * 7) % 300]).collect();
        let apart: Vec<[u32; 3]> = (0..300).map(|i| [i, i + 300, i + 600]).collect();
        for (mesh, count) in [(fan, 20_001), (folded, 300), (apart, 900)] {
            assert_eq!(sorted(ordered(mesh.clone(), count)), sorted(mesh));
        }
    }
}
