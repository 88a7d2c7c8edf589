//! A line a weight: vertex, lane, joint, name, weight.

use std::iter::Peekable;
use std::str::Chars;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

use super::content::{WeightsFile, checked};

/// What the columns are called.
const HEAD: [&str; 5] = ["vertex", "lane", "joint", "name", "weight"];

/// Has it a first line of these names?
pub(super) fn is_weights(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    head.split(',').map(str::trim).eq(HEAD)
}

pub(super) fn read(text: &str) -> Result<WeightsFile, Diagnostic> {
    let mut file = WeightsFile { joints: Vec::new(), vertices: Vec::new() };
    let mut lines = Lines { chars: text.chars().peekable(), line: 1 };
    // The names of the columns.
    lines.next();
    for (line, cells) in lines {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        add(&mut file, line, &cells)?;
    }
    Ok(file)
}

fn add(file: &mut WeightsFile, line: usize, cells: &[String]) -> Result<(), Diagnostic> {
    let at = |column: usize| Place::text("line and column", LineColumn { line, column });
    let wrong = |column: usize, expected: &str, found: &str| {
        let found: String = found.chars().take(40).collect();
        let wrong = Diagnostic::expected(expected, format!("`{found}`"));
        Err(wrong.at(at(column)).help("save the weights again"))
    };
    let [vertex, _, joint, name, weight] = cells else {
        let found = cells.len().to_string();
        return wrong(1, "vertex, lane, joint, name and weight", &found);
    };
    let Ok(vertex) = vertex.trim().parse::<usize>() else {
        return wrong(1, "the number of a vertex", vertex);
    };
    // Every vertex has a line, and they rise.
    let next = file.vertices.len();
    if vertex > next || vertex + 1 < next {
        let expected = format!("vertex {next}, each after the one before");
        return wrong(1, &expected, &vertex.to_string());
    }
    let Ok(joint) = joint.trim().parse::<u16>() else {
        return wrong(3, "the number of a joint", joint);
    };
    let Ok(number) = weight.trim().parse::<f32>() else {
        return wrong(5, "a weight", weight);
    };
    let number = checked(number, || format!("line {line}"))?;
    let at_joint = usize::from(joint);
    if file.joints.len() <= at_joint {
        file.joints.resize(at_joint + 1, String::new());
    }
    file.joints[at_joint].clone_from(name);
    if vertex == next {
        file.vertices.push(Vec::new());
    }
    if number != 0.0 {
        file.vertices[vertex].push((joint, number));
    }
    Ok(())
}

/// The cells of each line, with the number of the line; what stands in quotes may hold
/// commas, quotes and ends of lines.
struct Lines<'a> {
    chars: Peekable<Chars<'a>>,
    line: usize,
}

impl Iterator for Lines<'_> {
    type Item = (usize, Vec<String>);

    fn next(&mut self) -> Option<Self::Item> {
        self.chars.peek()?;
        let (line, mut cells, mut quoted) = (self.line, vec![String::new()], false);
        while let Some(char) = self.chars.next() {
            self.line += usize::from(char == '\n');
            let cell = cells.last_mut()?;
            match char {
                '"' if quoted && self.chars.next_if_eq(&'"').is_some() => cell.push('"'),
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                '\n' if !quoted => break,
                '\r' if !quoted => {}
                other => cell.push(other),
            }
        }
        Some((line, cells))
    }
}
