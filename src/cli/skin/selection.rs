//! Which animation and which skin the command line means.

use crate::asset::{ClipAt, Rig};
use crate::cli::Failure;
use crate::diagnostic::Diagnostic;

/// The clip of that number or name at a time; empty for `none`.
pub(super) fn clip(rig: &Rig, name: &str, time_secs: f64) -> Result<Option<ClipAt>, Failure> {
    if !time_secs.is_finite() {
        let wrong = Diagnostic::expected("a number of seconds", "");
        return Err(Failure::argument(format!("--time {time_secs}"), wrong));
    }
    if name == "none" {
        return Ok(None);
    }
    let by_number = name.parse().ok().filter(|&clip| clip < rig.clips.len());
    let by_name = || rig.clips.iter().position(|clip| clip.name == name);
    let Some(clip) = by_number.or_else(by_name) else {
        let list: Vec<String> = rig
            .clips
            .iter()
            .enumerate()
            .map(|(number, clip)| format!("{number} `{}`", clip.name))
            .collect();
        let there_are = match list.len() {
            0 => "this model has none; leave it out".to_owned(),
            _ => format!("there are {}, and none", list.join(", ")),
        };
        let wrong = no_such("animation", name, there_are);
        return Err(Failure::argument(format!("--animation {name}"), wrong));
    };
    Ok(Some(ClipAt {
        clip,
        time_secs,
        share: 1.0,
    }))
}

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
        let wrong = no_such("skin", &skin.to_string(), there_are);
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

/// A name or a number that leads nowhere, and those that would.
fn no_such(what: &str, name: &str, there_are: String) -> Diagnostic {
    Diagnostic::unknown(what, name, &[])
        .title(format!("there is no such {what}"))
        .help(there_are)
}
