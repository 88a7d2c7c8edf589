//! `bindpose skin`: prints joints, matrices and vertices of a posed rig, as the notebook computes
//! them.

mod report;

use std::collections::HashSet;
use std::ffi::OsString;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;

use super::CommandFailure;
use super::arguments::{check_skin, load_rig, parse_index};
use super::output::{OutputForm, output_form, write_to_stdout};
use super::pose::PoseArgs;
use report::{SkinQuery, SkinReport};

#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct SkinArgs {
    /// Name of a built-in rig, or a .gltf or .glb file
    #[arg(value_name = "RIG|FILE")]
    rig: OsString,
    #[command(flatten)]
    pose: PoseArgs,
    /// Only meshes of this skin: its number in the file
    #[arg(long, value_name = "I", allow_negative_numbers = true, value_parser = parse_index)]
    skin: Option<usize>,
    /// Only these vertices: 0-3,7
    #[arg(long)]
    vertices: Option<String>,
    /// json and csv hold every digit of the f32 values, table is for reading
    #[arg(long, value_parser = output_form(["json", "csv", "table"]), default_value = "table")]
    format: OutputForm,
}

fn after_help() -> String {
    format!(
        "Rigs: {}\n\nMatrices are column-major, 16 numbers; x_in_b = b_from_a * x_in_a.",
        bindpose_rigs::builtin_ids().join(", ")
    )
}

pub(super) fn run(args: &SkinArgs) -> Result<(), CommandFailure> {
    let rig = load_rig(&args.rig)?;
    let values = args.pose.param_values(&rig)?;
    let clip = args.pose.clip(&rig)?;
    let skin_vertices = vertices_of_skin(&rig, args.skin)?;
    let vertices = match &args.vertices {
        None => skin_vertices,
        Some(text) => parse_vertex_ranges(text, rig.mesh.positions.len())
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
    write_to_stdout(args.format, |out| match args.format {
        OutputForm::Json => report.write_json(out),
        OutputForm::Csv => report.write_csv(out),
        OutputForm::Text => report.write_table(out),
    })
}

/// Parses vertex ranges, such as `0-3,7` for 0, 1, 2, 3, 7. Keeps their order and drops repetitions.
///
/// # Errors
///
/// Fails for vertices that are not below `vertex_count`.
fn parse_vertex_ranges(text: &str, vertex_count: usize) -> Result<Vec<usize>, Diagnostic> {
    let mut vertices = Vec::new();
    let mut seen = HashSet::new();
    for range in text.split(',').map(str::trim) {
        let wrong = Diagnostic::expected("vertices of the rig", format!("`{range}`"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
            return Err(wrong
                .title(format!("`{range}` is no vertex number and no range"))
                .help("write such as 0-3,7"));
        };
        if last < first {
            return Err(wrong
                .title(format!("`{range}` runs backwards"))
                .help(format!("write {last}-{first}")));
        }
        if vertex_count == 0 {
            return Err(wrong.title("this rig has no vertices"));
        }
        if last >= vertex_count {
            return Err(wrong
                .title(format!("there is no vertex {last}"))
                .help(format!("they are numbered 0 to {}", vertex_count - 1)));
        }
        // Dropping repetitions also limits the length of the list.
        vertices.extend((first..=last).filter(|&vertex| seen.insert(vertex)));
    }
    Ok(vertices)
}

/// Returns the vertices that a skin moves, or all if `skin` is `None`. A rig that was made in memory
/// has a single skin, which moves all of them.
fn vertices_of_skin(rig: &Rig, skin: Option<usize>) -> Result<Vec<usize>, CommandFailure> {
    let vertices = 0..rig.mesh.positions.len();
    let Some(skin) = skin else {
        return Ok(vertices.collect());
    };
    check_skin(rig, skin)?;
    let mut is_moved = vec![rig.origin.is_none(); vertices.len()];
    for part in rig.mesh.parts.iter().filter(|part| part.skin == Some(skin)) {
        for vertex in part.vertices.clone() {
            is_moved[vertex as usize] = true;
        }
    }
    Ok(vertices.filter(|&vertex| is_moved[vertex]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertex_ranges_keep_their_order_and_drop_repetitions() {
        assert_eq!(parse_vertex_ranges("7,0-2, 1", 10), Ok(vec![7, 0, 1, 2]));
        assert_eq!(parse_vertex_ranges("9", 10), Ok(vec![9]));
    }

    #[test]
    fn invalid_vertex_ranges_are_rejected() {
        assert!(parse_vertex_ranges("10", 10).unwrap_err().help.contains("0 to 9"));
        assert!(parse_vertex_ranges("3-1", 10).unwrap_err().help.contains("1-3"));
        for wrong in ["", "a", "-1", "1-", "0,,2", "99999999999999999999"] {
            assert!(parse_vertex_ranges(wrong, 10).is_err(), "{wrong}");
        }
        assert!(parse_vertex_ranges("0-18446744073709551615", 10).is_err());
    }
}
