//! Every role on every ground that it is drawn on.

use super::*;

/// Asks for contrasts and remembers which fall short.
struct Asked {
    theme: &'static str,
    short: Vec<String>,
}

impl Asked {
    fn apart(&mut self, name: &str, color: Color32, grounds: &[(&str, Color32)], least: f32) {
        for &(ground, behind) in grounds {
            let ratio = contrast(color, behind);
            if ratio < least {
                let theme = self.theme;
                let words = format!("{theme}: {name} on {ground}: {ratio:.2}, not {least}");
                self.short.push(words);
            }
        }
    }
}

#[test]
fn every_role_can_be_seen_on_every_ground_that_it_is_drawn_on() {
    let mut short = Vec::new();
    for (name, theme) in [
        ("light", Theme::light()),
        ("dark", Theme::dark()),
        ("light, read", Theme::light().read()),
        ("dark, read", Theme::dark().read()),
    ] {
        let mut asked = Asked { theme: name, short: Vec::new() };
        words(&theme, &mut asked);
        marks(&theme, &mut asked);
        joints(&theme, &mut asked);
        axes(&theme, &mut asked);
        short.append(&mut asked.short);
    }
    assert!(short.is_empty(), "{}", short.join("\n"));
}

fn words(theme: &Theme, asked: &mut Asked) {
    let (paper, panel) = (("paper", theme.paper), ("panel", theme.panel));
    let lit = ("lit", theme.lit);
    let wash = ("accent wash", theme.accent_wash);
    let wrong = ("wrong wash", theme.wrong_wash);
    for (name, color, grounds) in [
        ("ink", theme.ink, &[paper, panel, lit, wash, wrong][..]),
        ("quiet", theme.quiet, &[paper, panel, lit, wash]),
        ("accent", theme.accent, &[paper, panel, lit, wash]),
        ("wrong", theme.wrong, &[paper, panel, wrong]),
        ("caution", theme.caution, &[paper, panel]),
        ("right", theme.right, &[paper, panel]),
        ("bind", theme.bind, &[paper, panel]),
        ("on accent", theme.on_accent, &[("accent", theme.accent)]),
    ] {
        asked.apart(name, color, grounds, TEXT);
    }
    for (place, color) in theme.syntax.into_iter().enumerate() {
        asked.apart(&format!("syntax {place}"), color, &[panel], TEXT);
    }
    for fill in [theme.accent, theme.wrong, theme.bind, theme.world] {
        asked.apart("on fill", theme.on_fill(fill), &[("fill", fill)], TEXT);
    }
    for column in 0..4 {
        let ground = theme.column(column);
        let name = format!("column {column}");
        for (role, color) in [("ink", theme.ink), ("quiet", theme.quiet)] {
            asked.apart(role, color, &[(&name, ground)], TEXT);
        }
        let number = theme.text_on(theme.accent, ground);
        asked.apart("what can be dragged", number, &[(&name, ground)], TEXT);
    }
}

fn marks(theme: &Theme, asked: &mut Asked) {
    let (paper, panel) = (("paper", theme.paper), ("panel", theme.panel));
    for (name, color) in
        [("track", theme.track), ("lit edge", theme.lit_edge), ("accent", theme.accent)]
    {
        asked.apart(name, color, &[paper, panel], MARK);
    }
    asked.apart("lit edge", theme.lit_edge, &[("lit", theme.lit)], MARK);
}

fn joints(theme: &Theme, asked: &mut Asked) {
    let grounds = [
        ("paper", theme.paper),
        ("panel", theme.panel),
        ("lit", theme.lit),
        ("accent wash", theme.accent_wash),
    ];
    let [top, bottom] = theme.scene_grounds();
    let scene = [("top of the picture", top), ("foot of the picture", bottom)];
    for joint in (0..6).map(JointIndex) {
        let name = format!("joint {joint:?}");
        asked.apart(&name, theme.joint_text(joint), &grounds, TEXT);
        asked.apart(&name, theme.joint_line(joint), &grounds[..2], MARK);
        asked.apart(&name, theme.joint_in_scene(joint), &scene, MARK);
        let fill = theme.joint(joint);
        asked.apart("number", theme.on(fill), &[(&name, fill)], TEXT);
        let wash = theme.share(joint);
        asked.apart("weight", theme.text_on(theme.accent, wash), &[(&name, wash)], TEXT);
    }
}

fn axes(theme: &Theme, asked: &mut Asked) {
    let [top, bottom] = theme.scene_grounds();
    let scene = [("top of the picture", top), ("foot of the picture", bottom)];
    for axis in 0..3 {
        let name = ["x", "y", "z"][axis];
        asked.apart(name, theme.axis_in_scene(axis), &scene, MARK);
        asked.apart(name, theme.axis_text(axis), &scene, TEXT);
        asked.apart(name, theme.axis_text(axis), &[("paper", theme.paper)], TEXT);
    }
}

#[test]
fn who_asks_for_more_contrast_gets_it() {
    for theme in [Theme::light(), Theme::dark()] {
        let more = theme.clone().with_more_contrast();
        for ground in [more.paper, more.panel] {
            for text in [more.ink, more.quiet, more.accent, more.wrong] {
                assert!(contrast(text, ground) >= 7.0, "{text:?} on {ground:?}");
            }
            assert!(contrast(more.rule, ground) >= MARK);
        }
        assert!(contrast(more.on_accent, more.accent) >= contrast(theme.on_accent, theme.accent));
    }
}
