//! `bindpose skin`: the numbers of a posed rig or model, by the code that the
//! notebook uses.

mod report;

use std::collections::HashSet;
use std::ffi::OsString;

use bindpose_asset::{self as asset, Rig};
use bindpose_diagnostic::Diagnostic;
use report::{SkinQuery, SkinReport};

use super::CommandFailure;
use super::arguments::{self, index};
use super::output::{OutputForm, form, to_stdout};
use super::pose::PoseArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct SkinArgs {
    /// Name of a built-in rig, or a .gltf or .glb file
    #[arg(value_name = "RIG|FILE")]
    rig: OsString,
    #[command(flatten)]
    pose: PoseArgs,
    /// Only meshes of this skin: its number in the file
    #[arg(long, value_name = "I", allow_negative_numbers = true, value_parser = index)]
    skin: Option<usize>,
    /// Only these vertices: 0-3,7
    #[arg(long)]
    vertices: Option<String>,
    /// json and csv hold every digit of the f32 values, table is for reading
    #[arg(long, value_parser = form(["json", "csv", "table"]), default_value = "table")]
    format: OutputForm,
}

fn after_help() -> String {
    format!(
        "Rigs: {}\n\nMatrices are column-major, 16 numbers; x_in_b = b_from_a * x_in_a.",
        asset::builtin_ids().join(", ")
    )
}

pub(super) fn run(args: &SkinArgs) -> Result<(), CommandFailure> {
    let rig = arguments::rig(&args.rig)?;
    let values = args.pose.values(&rig)?;
    let clip = args.pose.clip(&rig)?;
    let of_skin = vertices_of(&rig, args.skin)?;
    let vertices = match &args.vertices {
        None => of_skin,
        Some(text) => vertex_numbers(text, rig.mesh.positions.len())
            .map_err(|wrong| CommandFailure::argument(format!("--vertices {text}"), wrong))?,
    };
    let report = SkinReport::new(
        &rig,
        &SkinQuery {
            values: &values,
            clip,
            method: args.pose.method()?,
            skin: args.skin,
            vertices: &vertices,
        },
    );
    to_stdout(args.format, |out| match args.format {
        OutputForm::Json => report.write_json(out),
        OutputForm::Csv => report.write_csv(out),
        OutputForm::Text => report.write_table(out),
    })
}

/// `0-3,7` as 0, 1, 2, 3, 7, in the order written, each within the mesh.
fn vertex_numbers(text: &str, count: usize) -> Result<Vec<usize>, Diagnostic> {
    let wrong = |part: &str, title: String, help: &str| {
        Diagnostic::expected("vertices of the rig", format!("`{part}`")).title(title).help(help)
    };
    let mut numbers = Vec::new();
    let mut seen = HashSet::new();
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
            let title = format!("`{part}` is no vertex number and no range");
            return Err(wrong(part, title, "write such as 0-3,7"));
        };
        if last < first {
            let title = format!("`{part}` runs backwards");
            return Err(wrong(part, title, &format!("write {last}-{first}")));
        }
        if last >= count {
            return Err(match count {
                0 => wrong(part, "this rig has no vertices".to_owned(), ""),
                _ => wrong(
                    part,
                    format!("there is no vertex {last}"),
                    &format!("they are numbered 0 to {}", count - 1),
                ),
            });
        }
        // Named twice is meant once; this also bounds the list.
        numbers.extend((first..=last).filter(|&number| seen.insert(number)));
    }
    Ok(numbers)
}

/// Numbers of the vertices that a skin moves, or of all.
fn vertices_of(rig: &Rig, skin: Option<usize>) -> Result<Vec<usize>, CommandFailure> {
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
        return Err(CommandFailure::argument(format!("--skin {skin}"), wrong));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_vertices_keep_their_order_and_name_each_once() {
        assert_eq!(vertex_numbers("7,0-2, 1", 10), Ok(vec![7, 0, 1, 2]));
        assert_eq!(vertex_numbers("9", 10), Ok(vec![9]));
    }

    #[test]
    fn numbers_past_the_mesh_backwards_or_unreadable_are_refused() {
        assert!(vertex_numbers("10", 10).unwrap_err().help.contains("0 to 9"));
        assert!(vertex_numbers("3-1", 10).unwrap_err().help.contains("1-3"));
        for wrong in ["", "a", "-1", "1-", "0,,2", "99999999999999999999"] {
            assert!(vertex_numbers(wrong, 10).is_err(), "{wrong}");
        }
        assert!(vertex_numbers("0-18446744073709551615", 10).is_err());
    }
}
