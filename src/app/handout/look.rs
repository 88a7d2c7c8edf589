//! How handouts look.

use bindpose_page::theme::{self, Theme};
use bindpose_paper::handout::{HandoutLook, RoleColors};
use bindpose_skin::JointIndex;
use eframe::egui::Color32;

/// Colours that are used one by one: name, and role.
type Role = (&'static str, fn(&Theme) -> Color32);

const ROLES: [Role; 10] = [
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

fn roles(theme: &Theme) -> RoleColors {
    let rgb = |color: Color32| [color.r(), color.g(), color.b()];
    let mut roles: Vec<(String, [u8; 3])> =
        ROLES.iter().map(|(name, role)| ((*name).to_owned(), rgb(role(theme)))).collect();
    for joint in 0..theme.joints.len() as u16 {
        let index = JointIndex(joint);
        roles.push((format!("joint-{joint}"), rgb(theme.joint_text(index))));
        roles.push((format!("line-{joint}"), rgb(theme.joint_line(index))));
    }
    for column in 0..4 {
        roles.push((format!("column-{column}"), rgb(theme.column(column))));
    }
    for (index, color) in theme.syntax.into_iter().enumerate() {
        roles.push((format!("syntax-{index}"), rgb(color)));
    }
    RoleColors(roles)
}

/// How handouts look: as the page does.
pub(in crate::app) fn look() -> HandoutLook {
    HandoutLook { light: roles(&Theme::light()), dark: roles(&Theme::dark()), face: theme::face }
}
