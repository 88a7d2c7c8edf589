//! Contrast of every colour role on every background that it is drawn on.

use super::*;

/// Checks contrasts and collects those that are too low.
struct ContrastCheck {
    theme: &'static str,
    failures: Vec<String>,
}

impl ContrastCheck {
    fn check(&mut self, name: &str, color: Color32, backgrounds: &[(&str, Color32)], min: f32) {
        for &(background, background_color) in backgrounds {
            let ratio = contrast(color, background_color);
            if ratio < min {
                let theme = self.theme;
                self.failures
                    .push(format!("{theme}: {name} on {background}: {ratio:.2}, not {min}"));
            }
        }
    }
}

#[test]
fn every_role_has_contrast_on_every_background() {
    let mut failures = Vec::new();
    for (name, theme) in [
        ("light", Theme::light()),
        ("dark", Theme::dark()),
        ("light, read", Theme::light().read()),
        ("dark, read", Theme::dark().read()),
    ] {
        let mut check = ContrastCheck { theme: name, failures: Vec::new() };
        check_text(&theme, &mut check);
        check_marks(&theme, &mut check);
        check_joints(&theme, &mut check);
        check_axes(&theme, &mut check);
        failures.append(&mut check.failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check_text(theme: &Theme, check: &mut ContrastCheck) {
    let paper = ("paper", theme.paper);
    let panel = ("panel", theme.panel);
    let lit = ("lit", theme.lit);
    let wash = ("accent wash", theme.accent_wash);
    let wrong = ("wrong wash", theme.wrong_wash);
    for (name, color, backgrounds) in [
        ("ink", theme.ink, &[paper, panel, lit, wash, wrong][..]),
        ("quiet", theme.quiet, &[paper, panel, lit, wash]),
        ("accent", theme.accent, &[paper, panel, lit, wash]),
        ("wrong", theme.wrong, &[paper, panel, wrong]),
        ("caution", theme.caution, &[paper, panel]),
        ("right", theme.right, &[paper, panel]),
        ("bind", theme.bind, &[paper, panel]),
        ("on accent", theme.on_accent, &[("accent", theme.accent)]),
    ] {
        check.check(name, color, backgrounds, TEXT);
    }
    for (index, color) in theme.syntax.into_iter().enumerate() {
        check.check(&format!("syntax {index}"), color, &[panel], TEXT);
    }
    for fill in [theme.accent, theme.wrong, theme.bind, theme.world] {
        check.check("on fill", theme.text_on_accent_or(fill), &[("fill", fill)], TEXT);
    }
    for column in 0..4 {
        let background = theme.column_background(column);
        let name = format!("column {column}");
        for (role, color) in [("ink", theme.ink), ("quiet", theme.quiet)] {
            check.check(role, color, &[(&name, background)], TEXT);
        }
        let number = theme.text_on(theme.accent, background);
        check.check("draggable number", number, &[(&name, background)], TEXT);
    }
}

fn check_marks(theme: &Theme, check: &mut ContrastCheck) {
    let paper = ("paper", theme.paper);
    let panel = ("panel", theme.panel);
    for (name, color) in
        [("track", theme.track), ("lit edge", theme.lit_edge), ("accent", theme.accent)]
    {
        check.check(name, color, &[paper, panel], MARK);
    }
    check.check("lit edge", theme.lit_edge, &[("lit", theme.lit)], MARK);
}

fn check_joints(theme: &Theme, check: &mut ContrastCheck) {
    let backgrounds = [
        ("paper", theme.paper),
        ("panel", theme.panel),
        ("lit", theme.lit),
        ("accent wash", theme.accent_wash),
    ];
    let [top, bottom] = theme.scene_backgrounds();
    let scene = [("top of the picture", top), ("bottom of the picture", bottom)];
    for joint in (0..6).map(JointIndex) {
        let name = format!("joint {joint:?}");
        check.check(&name, theme.joint_text(joint), &backgrounds, TEXT);
        check.check(&name, theme.joint_line(joint), &backgrounds[..2], MARK);
        check.check(&name, theme.joint_in_scene(joint), &scene, MARK);
        let fill = theme.joint(joint);
        check.check("number", theme.text_on_fill(fill), &[(&name, fill)], TEXT);
        let wash = theme.weight_background(joint);
        check.check("weight", theme.text_on(theme.accent, wash), &[(&name, wash)], TEXT);
    }
}

fn check_axes(theme: &Theme, check: &mut ContrastCheck) {
    let [top, bottom] = theme.scene_backgrounds();
    let scene = [("top of the picture", top), ("bottom of the picture", bottom)];
    for axis in 0..3 {
        let name = ["x", "y", "z"][axis];
        check.check(name, theme.axis_in_scene(axis), &scene, MARK);
        check.check(name, theme.axis_text(axis), &scene, TEXT);
        check.check(name, theme.axis_text(axis), &[("paper", theme.paper)], TEXT);
    }
}

#[test]
fn theme_with_more_contrast_has_it() {
    for theme in [Theme::light(), Theme::dark()] {
        let more = theme.clone().with_more_contrast();
        for background in [more.paper, more.panel] {
            for text in [more.ink, more.quiet, more.accent, more.wrong] {
                assert!(contrast(text, background) >= 7.0, "{text:?} on {background:?}");
            }
            assert!(contrast(more.rule, background) >= MARK);
        }
        assert!(contrast(more.on_accent, more.accent) >= contrast(theme.on_accent, theme.accent));
    }
}
