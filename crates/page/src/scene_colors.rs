//! Colors of the theme, as a renderer takes them.

use bindpose_kit::theme::Theme;
use bindpose_notebook::scene::SceneColors;
use eframe::egui::Color32;

/// Returns the colors of scenes in a theme.
pub fn scene_colors(theme: &Theme) -> SceneColors {
    let colors = &theme.viewport;
    SceneColors {
        background_top: srgb_bytes(colors.background_top),
        background_bottom: srgb_bytes(colors.background_bottom),
        surface: srgb_bytes(colors.surface),
        line: srgb_bytes(colors.line),
        ghost: srgb_bytes(colors.ghost),
        rest_ghost: srgb_bytes(colors.rest_ghost),
        normal: srgb_bytes(colors.normal),
        grid: srgb_bytes(colors.grid),
        shadow: srgb_bytes(colors.shadow),
        over: srgb_bytes(colors.over),
        joints: theme.joints.map(srgb_bytes),
    }
}

/// Returns an opaque color as sRGB bytes.
pub fn srgb_bytes(color: Color32) -> [u8; 3] {
    let [red, green, blue, _] = color.to_array();
    [red, green, blue]
}
