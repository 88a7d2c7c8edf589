//! Suggested edits of the shader that help to find out why a skin is invisible or wrong. Each
//! edit changes or adds one line of the text, and can be undone.

/// A suggested edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuggestedEdit {
    /// Label of its button.
    pub label: &'static str,
    /// Explains what the edit shows.
    pub tooltip: &'static str,
    line: EditedLine,
}

/// The line that an edit produces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EditedLine {
    /// Replaces the line with the same text up to `=`.
    Instead(&'static str),
    /// `mat4 skin = skin_matrix(…)` with other weights. The present weights replace
    /// `weights` in the text.
    Weights(&'static str),
    /// `mat4 skin = skin_matrix(…)` with joint 0 for every joint.
    AllJoint0,
    /// A line added at the end that sets the color. Replaces another one.
    Color(&'static str),
    /// Like `Color`, with `LAST_JOINT` replaced by the largest joint index.
    ColorOfLastJoint(&'static str),
}

const SKIN: &str = "mat4 skin =";
const PASS_ON: &str = "pass_on(";
const COLOR: &str = "shown_color =";

const TRIES: [SuggestedEdit; 11] = [
    SuggestedEdit {
        label: "unskinned",
        tooltip: "Each vertex where it is stored. If this shows the mesh, camera and buffers are right, and the fault is in the skin.",
        line: EditedLine::Instead("gl_Position = clip_from_world * vec4(position_in_bind, 1.0);"),
    },
    SuggestedEdit {
        label: "first influence",
        tooltip: "The first joint of each vertex with all of the weight: no blend, so seams open where joints meet.",
        line: EditedLine::Weights("vec4(1.0, 0.0, 0.0, 0.0)"),
    },
    SuggestedEdit {
        label: "joint 0 for all",
        tooltip: "One matrix moves everything: the mesh must keep its shape. If it does, the palette holds a sound matrix.",
        line: EditedLine::AllJoint0,
    },
    SuggestedEdit {
        label: "weights not bound",
        tooltip: "What a shader reads where nobody enabled the attribute: (0, 0, 0, 1). The last lane gets everything.",
        line: EditedLine::Weights("vec4(0.0, 0.0, 0.0, 1.0)"),
    },
    SuggestedEdit {
        label: "weights doubled",
        tooltip: "Weights that add up to 2: the mesh is pushed away from the origin, because its position is added twice.",
        line: EditedLine::Weights("weights * 2.0"),
    },
    SuggestedEdit {
        label: "without w",
        tooltip: "A 3 × 3 matrix turns and scales but does not move: every joint acts as if it stood at the origin.",
        line: EditedLine::Instead("position_in_world = mat3(skin) * position_in_bind;"),
    },
    SuggestedEdit {
        label: "w kept",
        tooltip: "The fourth number of the skinned position is the sum of the weights, and the card divides by it. With doubled weights the mesh stays where it is.",
        line: EditedLine::Instead(
            "gl_Position = clip_from_world * (skin * vec4(position_in_bind, 1.0));",
        ),
    },
    SuggestedEdit {
        label: "weights as colour",
        tooltip: "The first three weights as red, green and blue, as they are: normalising them would show other numbers.",
        line: EditedLine::Color("shown_color = vec4(weights.xyz, 1.0);"),
    },
    SuggestedEdit {
        label: "joints as colour",
        tooltip: "The first three joint numbers as red, green and blue: each number has a shade of its own, far from its neighbours’.",
        line: EditedLine::Color("shown_color = vec4(fract(vec3(joints.xyz) * 0.37), 1.0);"),
    },
    SuggestedEdit {
        label: "joints over n − 1",
        tooltip: "The first three joint numbers, divided by the highest, as red, green and blue: joint 0 is dark, the last one bright.",
        line: EditedLine::ColorOfLastJoint(
            "shown_color = vec4(vec3(joints.xyz) / LAST_JOINT, 1.0);",
        ),
    },
    SuggestedEdit {
        label: "normals as colour",
        tooltip: "Directions as red, green and blue: −1 is dark, 1 bright. Blocks of one colour mean normals that stayed behind.",
        line: EditedLine::Color("shown_color = vec4(normal_in_world * 0.5 + 0.5, 1.0);"),
    },
];

/// Returns all edits in a useful order.
pub fn tries() -> &'static [SuggestedEdit] {
    &TRIES
}

/// Returns whether the text contains the edit. Returns `None` if it cannot be applied, because
/// the line that it changes is missing.
pub fn tried(text: &str, own: &str, change: &SuggestedEdit) -> Option<bool> {
    let edited_line = change.edited_line(own)?;
    if lines(text).any(|line| line.trim() == edited_line) {
        return Some(true);
    }
    find_line(text, change.anchor()).map(|_| false)
}

/// Applies the edit, or undoes it if the text contains it. `own` is the original text of the
/// page. Returns `None` if it cannot be applied.
pub fn apply_try(text: &str, own: &str, change: &SuggestedEdit) -> Option<String> {
    let on = tried(text, own, change)?;
    let edited_line = change.edited_line(own)?;
    let mut rows: Vec<String> = lines(text).map(str::to_owned).collect();
    if let EditedLine::Color(_) | EditedLine::ColorOfLastJoint(_) = change.line {
        rows.retain(|row| !row.trim().starts_with(COLOR));
        if !on {
            let at = find_row(&rows, change.anchor())?;
            rows.insert(at + 1, format!("{}{edited_line}", indent(&rows[at])));
        }
    } else {
        let stored = find_line(own, change.anchor())?.trim();
        let with = if on { stored } else { edited_line.as_str() };
        let at = find_row(&rows, change.anchor())?;
        let row = &mut rows[at];
        *row = format!("{}{with}", indent(row));
    }
    Some(rows.join("\n"))
}

fn find_row(rows: &[String], start: &str) -> Option<usize> {
    rows.iter().position(|row| row.trim().starts_with(start))
}

impl SuggestedEdit {
    /// Returns the start of the line that the edit changes, or after which it adds one.
    fn anchor(&self) -> &'static str {
        match self.line {
            EditedLine::Instead(line) => line.split_inclusive('=').next().unwrap_or(line),
            EditedLine::Weights(_) | EditedLine::AllJoint0 => SKIN,
            EditedLine::Color(_) | EditedLine::ColorOfLastJoint(_) => PASS_ON,
        }
    }

    /// Returns the line that the edit produces. Returns `None` if the original text lacks the
    /// parts that it needs.
    fn edited_line(&self, own: &str) -> Option<String> {
        if let EditedLine::Instead(line) | EditedLine::Color(line) = self.line {
            return Some(line.to_owned());
        }
        if let EditedLine::ColorOfLastJoint(line) = self.line {
            return Some(line.replace("LAST_JOINT", &last_joint(own)?));
        }
        // The type of joints depends on the attribute.
        let zero = if own.contains("(uvec4 joints") { "uvec4(0)" } else { "vec4(0)" };
        let call = find_line(own, SKIN)?.trim();
        let (head, given) = call.strip_suffix(");")?.split_once('(')?;
        let edited: Vec<String> = given
            .split(", ")
            .enumerate()
            .map(|(index, argument)| match (index % 2, self.line) {
                (0, EditedLine::AllJoint0) => zero.to_owned(),
                // The second four weights are 0 if the first four are set.
                (1, EditedLine::Weights(weights)) if weights.starts_with("vec4") && index > 1 => {
                    "vec4(0.0)".to_owned()
                }
                (1, EditedLine::Weights(weights)) => weights.replace("weights", argument),
                _ => argument.to_owned(),
            })
            .collect();
        Some(format!("{head}({});", edited.join(", ")))
    }
}

/// Returns an expression for the largest joint index, which depends on how the text reads the
/// palette. Returns `None` if the text does not know the length of the palette.
fn last_joint(own: &str) -> Option<String> {
    if own.contains("texelFetch(palette") {
        return Some("float(textureSize(palette, 0).y - 1)".to_owned());
    }
    if own.contains("uniform float joint_count;") {
        return Some("(joint_count - 1.0)".to_owned());
    }
    let (_, index) = own.split_once("return palette[")?;
    let (texels, _) = index.split_once(" * int(joint)")?;
    Some(format!("float(palette.length() / {texels} - 1)"))
}

fn find_line<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    lines(text).find(|line| line.trim().starts_with(start))
}

/// Like [`str::lines`], with the empty line after a final line break.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: &str = "uniform highp sampler2D palette; // texelFetch(palette, …)\n\
        void main() {\n\
        \x20   mat4 skin = skin_matrix(joints, weights);\n\
        \x20   position_in_world = (skin * vec4(position_in_bind, 1.0)).xyz;\n\
        \x20   gl_Position = clip_from_world * vec4(position_in_world, 1.0);\n\
        \x20   pass_on(skin);\n\
        }\n";

    fn named(label: &str) -> &'static SuggestedEdit {
        TRIES.iter().find(|change| change.label == label).unwrap()
    }

    #[test]
    fn each_edit_changes_one_line_and_can_be_undone() {
        for change in tries() {
            assert_eq!(tried(FOUR, FOUR, change), Some(false), "{}", change.label);
            let text = apply_try(FOUR, FOUR, change).unwrap();
            assert_eq!(tried(&text, FOUR, change), Some(true));
            let kept = text.lines().filter(|line| FOUR.contains(line)).count();
            let most = if change.anchor() == PASS_ON { 7 } else { 6 };
            assert_eq!(kept, most, "{}: {text}", change.label);
            assert_eq!(apply_try(&text, FOUR, change).unwrap(), FOUR);
        }
    }

    #[test]
    fn edits_of_the_same_line_replace_each_other() {
        let first = apply_try(FOUR, FOUR, named("first influence")).unwrap();
        let other = apply_try(&first, FOUR, named("joint 0 for all")).unwrap();
        assert_eq!(tried(&other, FOUR, named("first influence")), Some(false));
        let red = apply_try(&other, FOUR, named("weights as colour")).unwrap();
        let blue = apply_try(&red, FOUR, named("normals as colour")).unwrap();
        assert_eq!(blue.matches("shown_color").count(), 1);
        assert!(blue.contains("skin_matrix(vec4(0), weights)"));
    }

    #[test]
    fn last_joint_is_known_except_with_uniforms_by_name() {
        let change = named("joints over n − 1");
        let line = |text: &str| {
            let own = FOUR.replace("texelFetch(palette, …)", text);
            apply_try(&own, &own, change)
        };
        assert!(line("texelFetch(palette").unwrap().contains("textureSize"));
        let centres = line("\nuniform float joint_count;").unwrap();
        assert!(centres.contains("/ (joint_count - 1.0), 1.0)"));
        let array = line("\nreturn palette[4 * int(joint) + column];").unwrap();
        assert!(array.contains("palette.length() / 4 - 1"));
        assert_eq!(line("Palette0"), None);
    }

    #[test]
    fn eight_lanes_are_changed_together() {
        let call = "skin_matrix(joints, weights, joints_1, weights_1)";
        let eight = FOUR.replace("skin_matrix(joints, weights)", call);
        let eight = format!("mat4 skin_matrix(uvec4 joints, vec4 weights) {{}}\n{eight}");
        for (label, call) in [
            (
                "first influence",
                "skin_matrix(joints, vec4(1.0, 0.0, 0.0, 0.0), joints_1, vec4(0.0))",
            ),
            ("joint 0 for all", "skin_matrix(uvec4(0), weights, uvec4(0), weights_1)"),
            ("weights doubled", "skin_matrix(joints, weights * 2.0, joints_1, weights_1 * 2.0)"),
        ] {
            let text = apply_try(&eight, &eight, named(label)).unwrap();
            assert!(text.contains(call), "{text}");
        }
    }

    #[test]
    fn edits_of_a_missing_line_cannot_be_applied() {
        let mine = "void main() {\n    gl_Position = vec4(0.0);\n}\n";
        assert_eq!(tried(mine, FOUR, named("first influence")), None);
        assert_eq!(apply_try(mine, FOUR, named("weights as colour")), None);
        let text = apply_try(mine, FOUR, named("unskinned")).unwrap();
        assert!(text.contains("position_in_bind"));
    }
}
