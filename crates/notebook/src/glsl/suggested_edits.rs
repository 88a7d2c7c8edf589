//! Small changes to try on the shader: what one writes to find out why a skin
//! does not show, or shows wrong. Each changes or adds one line of the text as
//! it stands, and can be taken back.

/// One change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Try {
    /// On its button.
    pub label: &'static str,
    /// What one sees, and what it tells.
    pub tooltip: &'static str,
    line: EditedLine,
}

/// The line it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EditedLine {
    /// This, for the one that begins alike up to its `=`.
    Instead(&'static str),
    /// `mat4 skin = skin_matrix(…)` with this for the weights of the present text,
    /// which it may name.
    Weights(&'static str),
    /// The same with joint 0 for every joint.
    AllJoint0,
    /// This, added at the end: a colour. Of two, the last would count alone.
    Color(&'static str),
    /// The same with the highest joint number for `LAST_JOINT`, as the present text
    /// can know it.
    ColorOfLastJoint(&'static str),
}

const SKIN: &str = "mat4 skin =";
const PASS_ON: &str = "pass_on(";
const COLOR: &str = "shown_color =";

const TRIES: [Try; 11] = [
    Try {
        label: "unskinned",
        tooltip: "Each vertex where it is stored. If this shows the mesh, camera and buffers are right, and the fault is in the skin.",
        line: EditedLine::Instead("gl_Position = clip_from_world * vec4(position_in_bind, 1.0);"),
    },
    Try {
        label: "first influence",
        tooltip: "The first joint of each vertex with all of the weight: no blend, so seams open where joints meet.",
        line: EditedLine::Weights("vec4(1.0, 0.0, 0.0, 0.0)"),
    },
    Try {
        label: "joint 0 for all",
        tooltip: "One matrix moves everything: the mesh must keep its shape. If it does, the palette holds a sound matrix.",
        line: EditedLine::AllJoint0,
    },
    Try {
        label: "weights not bound",
        tooltip: "What a shader reads where nobody enabled the attribute: (0, 0, 0, 1). The last lane gets everything.",
        line: EditedLine::Weights("vec4(0.0, 0.0, 0.0, 1.0)"),
    },
    Try {
        label: "weights doubled",
        tooltip: "Weights that add up to 2: the mesh is pushed away from the origin, because its position is added twice.",
        line: EditedLine::Weights("weights * 2.0"),
    },
    Try {
        label: "without w",
        tooltip: "A 3 × 3 matrix turns and scales but does not move: every joint acts as if it stood at the origin.",
        line: EditedLine::Instead("position_in_world = mat3(skin) * position_in_bind;"),
    },
    Try {
        label: "w kept",
        tooltip: "The fourth number of the skinned position is the sum of the weights, and the card divides by it. With doubled weights the mesh stays where it is.",
        line: EditedLine::Instead(
            "gl_Position = clip_from_world * (skin * vec4(position_in_bind, 1.0));",
        ),
    },
    Try {
        label: "weights as colour",
        tooltip: "The first three weights as red, green and blue, as they are: normalising them would show other numbers.",
        line: EditedLine::Color("shown_color = vec4(weights.xyz, 1.0);"),
    },
    Try {
        label: "joints as colour",
        tooltip: "The first three joint numbers as red, green and blue: each number has a shade of its own, far from its neighbours’.",
        line: EditedLine::Color("shown_color = vec4(fract(vec3(joints.xyz) * 0.37), 1.0);"),
    },
    Try {
        label: "joints over n − 1",
        tooltip: "The first three joint numbers, divided by the highest, as red, green and blue: joint 0 is dark, the last one bright.",
        line: EditedLine::ColorOfLastJoint(
            "shown_color = vec4(vec3(joints.xyz) / LAST_JOINT, 1.0);",
        ),
    },
    Try {
        label: "normals as colour",
        tooltip: "Directions as red, green and blue: −1 is dark, 1 bright. Blocks of one colour mean normals that stayed behind.",
        line: EditedLine::Color("shown_color = vec4(normal_in_world * 0.5 + 0.5, 1.0);"),
    },
];

/// All of them, in the order in which one would look.
pub fn tries() -> &'static [Try] {
    &TRIES
}

/// Is it in the text? `None` where it cannot be: the line it changes is gone.
pub fn tried(text: &str, own: &str, change: &Try) -> Option<bool> {
    let wanted = change.wanted(own)?;
    if lines(text).any(|line| line.trim() == wanted) {
        return Some(true);
    }
    find(text, change.anchor()).map(|_| false)
}

/// The text with the change, or without it if it was there. `own` is the text
/// as the page gives it. `None` where it cannot be made.
pub fn apply_try(text: &str, own: &str, change: &Try) -> Option<String> {
    let on = tried(text, own, change)?;
    let wanted = change.wanted(own)?;
    let mut rows: Vec<String> = lines(text).map(str::to_owned).collect();
    let is_anchor = |row: &String| row.trim().starts_with(change.anchor());
    if let EditedLine::Color(_) | EditedLine::ColorOfLastJoint(_) = change.line {
        rows.retain(|row| !row.trim().starts_with(COLOR));
        if !on {
            let at = rows.iter().position(is_anchor)?;
            rows.insert(at + 1, format!("{}{wanted}", indent(&rows[at])));
        }
    } else {
        let stored = find(own, change.anchor())?.trim();
        let with = if on { stored } else { wanted.as_str() };
        let at = rows.iter().position(is_anchor)?;
        let row = &mut rows[at];
        *row = format!("{}{with}", indent(row));
    }
    Some(rows.join("\n"))
}

impl Try {
    /// How the line begins that it changes, or after which it adds one.
    fn anchor(&self) -> &'static str {
        match self.line {
            EditedLine::Instead(line) => line.split_inclusive('=').next().unwrap_or(line),
            EditedLine::Weights(_) | EditedLine::AllJoint0 => SKIN,
            EditedLine::Color(_) | EditedLine::ColorOfLastJoint(_) => PASS_ON,
        }
    }

    /// The line it leaves; `None` where the page's own text has not what it
    /// builds on.
    fn wanted(&self, own: &str) -> Option<String> {
        if let EditedLine::Instead(line) | EditedLine::Color(line) = self.line {
            return Some(line.to_owned());
        }
        if let EditedLine::ColorOfLastJoint(line) = self.line {
            return Some(line.replace("LAST_JOINT", &last_joint(own)?));
        }
        // Of the type that joints have on their way.
        let zero = if own.contains("(uvec4 joints") { "uvec4(0)" } else { "vec4(0)" };
        let call = find(own, SKIN)?.trim();
        let (head, given) = call.strip_suffix(");")?.split_once('(')?;
        let given = given.split(", ").enumerate();
        let given: Vec<String> = given
            .map(|(index, argument)| match (index % 2, self.line) {
                (0, EditedLine::AllJoint0) => zero.to_owned(),
                // The second four get nothing where the first get all.
                (1, EditedLine::Weights(weights)) if weights.starts_with("vec4") && index > 1 => {
                    "vec4(0.0)".to_owned()
                }
                (1, EditedLine::Weights(weights)) => weights.replace("weights", argument),
                _ => argument.to_owned(),
            })
            .collect();
        Some(format!("{head}({});", given.join(", ")))
    }
}

/// The highest joint number, in the words of the way by which this text reads the
/// palette; `None` where it does not know how long the palette is.
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

fn find<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    lines(text).find(|line| line.trim().starts_with(start))
}

/// With the empty one after a last newline.
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

    fn named(label: &str) -> &'static Try {
        TRIES.iter().find(|change| change.label == label).unwrap()
    }

    #[test]
    fn each_changes_one_line_and_goes_back_without_a_trace() {
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
    fn changes_of_one_line_replace_each_other_and_others_add_up() {
        let first = apply_try(FOUR, FOUR, named("first influence")).unwrap();
        let other = apply_try(&first, FOUR, named("joint 0 for all")).unwrap();
        assert_eq!(tried(&other, FOUR, named("first influence")), Some(false));
        let red = apply_try(&other, FOUR, named("weights as colour")).unwrap();
        let blue = apply_try(&red, FOUR, named("normals as colour")).unwrap();
        assert_eq!(blue.matches("shown_color").count(), 1);
        assert!(blue.contains("skin_matrix(vec4(0), weights)"));
    }

    #[test]
    fn the_highest_joint_is_known_by_three_ways_of_four() {
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
    fn where_the_line_is_gone_it_cannot_be_made() {
        let mine = "void main() {\n    gl_Position = vec4(0.0);\n}\n";
        assert_eq!(tried(mine, FOUR, named("first influence")), None);
        assert_eq!(apply_try(mine, FOUR, named("weights as colour")), None);
        let text = apply_try(mine, FOUR, named("unskinned")).unwrap();
        assert!(text.contains("position_in_bind"));
    }
}
