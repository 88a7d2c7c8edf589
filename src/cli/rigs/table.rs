//! Rigs for reading.

use std::io::{self, Write};

use bindpose_diagnostic::{printable, short_number};

use super::report::{Brief, Report};

pub(super) fn rigs(out: &mut dyn Write, rigs: &[Brief]) -> io::Result<()> {
    let width = widest(rigs.iter().map(|rig| rig.rig.as_str()));
    for rig in rigs {
        writeln!(
            out,
            "{:width$}  {}: {} joints, {} vertices, {} triangles, {} clips",
            rig.rig, rig.title, rig.joints, rig.vertices, rig.triangles, rig.clips
        )?;
        writeln!(out, "{:width$}  {}", "", few(&rig.params))?;
    }
    writeln!(out, "\nbindpose rigs RIG prints one of them; FILE, a model.")
}

/// Many of one kind, such as the angles of 40 links, in a few words.
fn few(names: &[String]) -> String {
    const SHOWN: usize = 10;
    match names.len() {
        0 => "no parameters".to_owned(),
        count if count > SHOWN => {
            format!("{}, … ({count})", names[..SHOWN].join(", "))
        }
        _ => names.join(", "),
    }
}

pub(super) fn report(out: &mut dyn Write, rig: &Report) -> io::Result<()> {
    let (vertices, triangles) = (rig.vertices, rig.triangles);
    writeln!(out, "{}: {}", printable(&rig.rig), printable(&rig.title))?;
    writeln!(out, "{vertices} vertices, {triangles} triangles")?;
    params(out, rig)?;
    joints(out, rig)?;
    clips(out, rig)?;
    notable(out, rig)?;
    weights(out, rig)
}

fn params(out: &mut dyn Write, rig: &Report) -> io::Result<()> {
    if rig.params.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nParameters")?;
    let width = widest(rig.params.iter().map(|param| param.name.as_str()));
    for param in &rig.params {
        let value = |value: f64| match param.unit {
            "rad" => format!("{}°", short_number((value.to_degrees() * 10.0).round() / 10.0)),
            _ => short_number((value * 1000.0).round() / 1000.0),
        };
        let [low, high] = param.range.map(value);
        let unit = match param.unit {
            "rad" => "angle",
            unit => unit,
        };
        let default = value(param.default);
        writeln!(
            out,
            "  {:width$}  {unit:6}  {low:>6} to {high:6}  at first {default:6}  {}",
            param.name,
            printable(&param.label)
        )?;
    }
    Ok(())
}

fn joints(out: &mut dyn Write, rig: &Report) -> io::Result<()> {
    writeln!(out, "\nJoints")?;
    let width = widest(rig.joints.iter().map(|joint| joint.name.as_str()));
    for joint in &rig.joints {
        let parent = match joint.parent {
            Some(parent) => format!("below {parent}"),
            None => "root".to_owned(),
        };
        let at = place(joint.position_in_bind);
        let (index, name) = (joint.index, printable(&joint.name));
        writeln!(out, "  {index:3}  {name:width$}  {parent:9}  {at}")?;
    }
    Ok(())
}

fn clips(out: &mut dyn Write, rig: &Report) -> io::Result<()> {
    if rig.clips.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nClips (time and fade are parameters too)")?;
    let width = widest(rig.clips.iter().map(|clip| clip.name.as_str()));
    for clip in &rig.clips {
        let (name, secs) = (printable(&clip.name), clip.secs);
        writeln!(out, "  {name:width$}  {secs:.3} s")?;
    }
    Ok(())
}

fn notable(out: &mut dyn Write, rig: &Report) -> io::Result<()> {
    if rig.notable.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nVertices")?;
    for one in &rig.notable {
        let at = place(one.position_in_bind);
        let vertex = format!("v{}", one.vertex);
        writeln!(out, "  {vertex:7}  {at:28}  {}", one.why)?;
    }
    if rig.rings.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nRings, as `rings` and `along` take them")?;
    for ring in &rig.rings {
        let run = format!("[{}, {}]", ring.first, ring.last);
        let (axis, at) = (ring.axis, short(ring.at));
        writeln!(out, "  {run:14}  {axis} = {at}")?;
    }
    Ok(())
}

fn weights(out: &mut dyn Write, rig: &Report) -> io::Result<()> {
    let Some(weights) = &rig.weights else {
        return Ok(());
    };
    writeln!(out, "\nWeights, by joint")?;
    for (vertex, rows) in weights.iter().enumerate() {
        let vertex = format!("v{vertex}");
        write!(out, "  {vertex:7}")?;
        for row in rows {
            write!(out, "  {}: {:.4}", row.joint, row.weight)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn place(position: [f32; 3]) -> String {
    format!("({})", position.map(short).join(", "))
}

fn short(number: f32) -> String {
    // + 0.0 turns −0 into 0.
    short_number((f64::from(number) * 1000.0).round() / 1000.0 + 0.0)
}

fn widest<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    const MOST: usize = 40;
    let widths = names.map(|name| printable(name).chars().count());
    widths.max().unwrap_or(0).min(MOST)
}
