//! Which skin the command line means.

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;

use crate::cli::Failure;

/// Numbers of the vertices that a skin moves, or of all.
pub(super) fn vertices_of(rig: &Rig, skin: Option<usize>) -> Result<Vec<usize>, Failure> {
    let all = 0..rig.mesh.positions.len();
    let Some(skin) = skin else {
        return Ok(all.collect());
    };
    // A rig made in memory has one skin.
    let graph = rig.origin.as_ref().map(|origin| &origin.graph);
    let count = graph.map_or(1, |graph| graph.skins.len());
    if skin >= count {
        let there_are = match count {
            0 => "this model has none".to_owned(),
            1 => "the only one is 0".to_owned(),
            _ => format!("they are numbered 0 to {}", count - 1),
        };
        let wrong = Diagnostic::unknown("skin", &skin.to_string(), &[]);
        let wrong = wrong.title("there is no such skin").help(there_are);
        return Err(Failure::argument(format!("--skin {skin}"), wrong));
    }
    let parts = rig.mesh.parts.iter();
    let of_skin = parts.filter(|part| part.skin == Some(skin));
    let mut moved = vec![graph.is_none(); all.len()];
    for part in of_skin {
        for vertex in part.vertices.clone() {
            moved[vertex as usize] = true;
        }
    }
    Ok(all.filter(|&vertex| moved[vertex]).collect())
}
