//! What `bindpose export` and `bindpose skin` write beside plain arrays: tables with
//! named columns, poses, OBJ; and files that hold nothing to compare.

use bindpose_diagnostic::{Diagnostic, LineColumn, json_wrong};
use bindpose_skin::Trs;
use glam::{Quat, Vec3};
use serde::Deserialize;

use super::shaped::{HELP, Misplaced, Shaped, number, wrong_at};
use crate::weights_file::text::{Lines, is_weights_file};

/// The product that a table or an object has beside other matrices of a joint: the one
/// that is compared.
pub(super) const JOINT_MATRIX: &str = "world_from_bind";

// Tables whose first line names the columns.

/// The columns of a table that hold the numbers.
struct Columns {
    /// Matrices column by column, or the coordinates of a position.
    numbers: Vec<usize>,
    /// The column that says which matrix a line holds, if there is one.
    which: Option<usize>,
}

impl Columns {
    /// `None`: these names are none that this program writes.
    fn find(head: &[String]) -> Option<Self> {
        let find = |name: &str| head.iter().position(|cell| cell.trim() == name);
        let all = |names: Vec<String>| -> Option<Vec<usize>> {
            names.iter().map(|name| find(name)).collect()
        };
        let cells = || all((0..16).map(|at| format!("r{}c{}", at % 4, at / 4)).collect());
        let plain = || all((0..16).map(|at| format!("n{at}")).collect());
        if let Some(numbers) = cells() {
            return Some(Self { numbers, which: find("matrix") });
        }
        if let (Some(numbers), Some(which)) = (plain(), find("quantity")) {
            return Some(Self { numbers, which: Some(which) });
        }
        let numbers = all(["x", "y", "z"].map(str::to_owned).to_vec())?;
        // Three columns are a plain table of numbers.
        (head.len() > 3).then_some(Self { numbers, which: None })
    }
}

/// The matrices or positions of a table with named columns; of several matrices a joint,
/// those that move vertices. `None`: it is no such table.
pub(super) fn table(text: &str, most: usize) -> Option<Result<Shaped, Diagnostic>> {
    let mut lines = Lines::new(text);
    let (_, head) = lines.next()?;
    let columns = Columns::find(&head)?;
    Some(lines_of_table(lines, &columns, most))
}

fn lines_of_table(lines: Lines<'_>, columns: &Columns, most: usize) -> Result<Shaped, Diagnostic> {
    let width = columns.numbers.len();
    let mut numbers = Vec::new();
    for (line, cells) in lines {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let is_other = |&which: &usize| cells.get(which).is_none_or(|cell| cell != JOINT_MATRIX);
        if columns.which.as_ref().is_some_and(is_other) {
            continue;
        }
        let at = LineColumn { line, column: 1 };
        for &column in &columns.numbers {
            let cell = cells.get(column).map_or("", |cell| cell.trim());
            let Some(number) = number(cell) else {
                let found: String = cell.chars().take(40).collect();
                let found = format!("`{found}` in cell {}", column + 1);
                return Err(wrong_at(at, "a number", &found));
            };
            if numbers.len() == most {
                return Err(Misplaced::too_many(most).at(at));
            }
            numbers.push(number);
        }
    }
    if numbers.is_empty() && columns.which.is_some() {
        let expected = format!("lines of the matrix `{JOINT_MATRIX}`");
        return Err(Diagnostic::expected(expected, "none").help(HELP));
    }
    Ok(Shaped { shape: vec![numbers.len() / width, width], numbers })
}

// OBJ.

/// The vertices of an OBJ file. `None`: it is none.
pub(super) fn obj(text: &str, most: usize) -> Option<Result<Shaped, Diagnostic>> {
    let mut words = text.lines().filter_map(|line| line.split_whitespace().next());
    let first = words.find(|word| !word.starts_with('#'))?;
    ["o", "g", "v", "mtllib"].contains(&first).then(|| vertices_of_obj(text, most))
}

fn vertices_of_obj(text: &str, most: usize) -> Result<Shaped, Diagnostic> {
    let mut numbers = Vec::new();
    for (nth, line) in text.lines().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("v ") else {
            continue;
        };
        let at = LineColumn { line: nth + 1, column: 1 };
        let place: Vec<f32> = rest.split_whitespace().filter_map(number).collect();
        // Weights and colours may follow.
        let Some(place) = place.get(..3) else {
            return Err(wrong_at(at, "three numbers after `v`", &place.len().to_string()));
        };
        if numbers.len() + 3 > most {
            return Err(Misplaced::too_many(most).at(at));
        }
        numbers.extend_from_slice(place);
    }
    Ok(Shaped { shape: vec![numbers.len() / 3, 3], numbers })
}

// Poses.

#[derive(Deserialize)]
struct PosesFile {
    poses: Vec<StoredPose>,
}

#[derive(Deserialize)]
struct StoredPose {
    joints: Vec<LocalTransform>,
}

#[derive(Deserialize)]
struct LocalTransform {
    translation: [f32; 3],
    /// x, y, z, w.
    rotation: [f32; 4],
    scale: [f32; 3],
}

/// The local transforms of a pose, one a joint of the model. `None`: it is no file of
/// poses.
pub(super) fn pose(text: &str) -> Option<Result<Vec<Trs>, Diagnostic>> {
    let has = |key: &str| text.contains(key);
    let is_one = text.trim_start().starts_with('{') && has("\"poses\"") && has("\"joints\"");
    is_one.then(|| only_pose(text))
}

fn only_pose(text: &str) -> Result<Vec<Trs>, Diagnostic> {
    let file: PosesFile = serde_json::from_str(text).map_err(|wrong| {
        let (words, at) = json_wrong(&wrong);
        wrong_at(at, "translation, rotation and scale of each joint", &words)
    })?;
    let [pose] = &file.poses[..] else {
        let found = format!("{} poses", file.poses.len());
        return Err(Diagnostic::expected("one pose", found).help("write one pose"));
    };
    let locals = pose.joints.iter().map(|joint| Trs {
        translation: Vec3::from_array(joint.translation),
        rotation: Quat::from_array(joint.rotation),
        scale: Vec3::from_array(joint.scale),
    });
    Ok(locals.collect())
}

// Files with nothing in them that can be compared.

/// Why the numbers of such a file are compared otherwise; `None`: it is no such file.
pub(super) fn other_file(bytes: &[u8]) -> Option<Diagnostic> {
    let text = || std::str::from_utf8(bytes).is_ok_and(is_weights_file);
    let found = if bytes.starts_with(b"glTF") {
        "a whole model"
    } else if text() {
        "weights"
    } else {
        return None;
    };
    let help = "write matrices, as `bindpose export --as palette-json` does, or positions, as \
                `positions-npy`; `bindpose compare` holds two models against each other, with \
                their weights";
    Some(Diagnostic::expected("joint matrices or skinned positions", found).help(help))
}
