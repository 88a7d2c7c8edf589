//! Colours and faces of handouts.

use bindpose_kit::theme::{self, Theme};
use bindpose_paper::handout::{HandoutLook, RoleColors};
use bindpose_skin::JointIndex;
use eframe::egui::Color32;

/// Returns a single colour of a theme.
type ThemeColor = fn(&Theme) -> Color32;

/// Single colours with their names.
const SINGLE_COLORS: [(&str, ThemeColor); 10] = [
    ("paper", |theme| theme.paper),
    ("panel", |theme| theme.panel),
    ("ink", |theme| theme.ink),
    ("quiet", |theme| theme.quiet),
    ("rule", |theme| theme.rule),
    ("accent", |theme| theme.accent),
    ("accent-wash", |theme| theme.accent_wash),
    ("wrong", |theme| theme.wrong),
    ("caution", |theme| theme.caution),
    ("plate", |theme| theme.plate),
];

fn role_colors(theme: &Theme) -> RoleColors {
    let mut roles: Vec<(String, [u8; 3])> = Vec::new();
    for (name, color_of) in SINGLE_COLORS {
        roles.push((name.to_owned(), rgb(color_of(theme))));
    }
    for joint in 0..theme.joints.len() as u16 {
        let index = JointIndex(joint);
        roles.push((format!("joint-{joint}"), rgb(theme.joint_text(index))));
        roles.push((format!("line-{joint}"), rgb(theme.joint_line(index))));
    }
    for column in 0..4 {
        roles.push((format!("column-{column}"), rgb(theme.column_background(column))));
    }
    for (index, color) in theme.syntax.into_iter().enumerate() {
        roles.push((format!("syntax-{index}"), rgb(color)));
    }
    RoleColors(roles)
}

fn rgb(color: Color32) -> [u8; 3] {
    [color.r(), color.g(), color.b()]
}

/// Returns the look of handouts, which is that of the page.
pub(in crate::app) fn handout_look() -> HandoutLook {
    HandoutLook {
        light: role_colors(&Theme::light()),
        dark: role_colors(&Theme::dark()),
        face: theme::face,
    }
}
