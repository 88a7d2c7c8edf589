//! Colours, type and spacing, named by role. Literal colours appear here only.

mod contrast;
mod fonts;

use eframe::egui::{
    Color32, CornerRadius, FontId, Margin, RichText, Stroke, Style, TextStyle, Ui, Vec2, Visuals,
    style::HandleShape,
};

use glam::Vec3;

use bindpose_skin::JointIndex;
pub use contrast::{MARK, TEXT, contrast};
pub use fonts::{face, face_files, family, font, fonts, mathematics, request_supplementary_faces};

/// Colours of the light or the dark theme.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    pub is_dark: bool,
    pub paper: Color32,
    /// Background of the cover. A black whale is visible on it.
    pub cover: Color32,
    /// Background of formulas, listings and cards.
    pub panel: Color32,
    pub ink: Color32,
    /// Colour of captions, labels and other secondary text.
    pub quiet: Color32,
    /// Colour of separating lines.
    pub rule: Color32,
    /// Colour of slider rails and empty fields.
    pub track: Color32,
    /// Colour of draggable and clickable things, and of the current position.
    pub accent: Color32,
    /// Pale accent as a background of text.
    pub accent_wash: Color32,
    /// Text colour on the accent.
    pub on_accent: Color32,
    /// Colour of errors, such as Σw ≠ 1 or a wrong seam.
    pub wrong: Color32,
    /// Pale background of errors.
    pub wrong_wash: Color32,
    /// Colour of warnings and errata.
    pub caution: Color32,
    /// Colour of matches and solved exercises.
    pub right: Color32,
    /// Background of highlighted things.
    pub lit: Color32,
    /// Edge of highlighted things.
    pub lit_edge: Color32,
    /// Colour of the frame *bind* in tags.
    pub bind: Color32,
    /// Colour of the frame *world* in tags.
    pub world: Color32,
    /// Joint colours (Okabe and Ito, 2008). They repeat, then with a pattern.
    pub joints: [Color32; 6],
    /// Colours of the axes x, y and z.
    pub axes: [Color32; 3],
    /// Syntax colours: keyword, type or builtin, number, string, comment.
    pub syntax: [Color32; 5],
    /// Background of an image whose lines may be dark.
    pub plate: Color32,
    /// Colour of the teacher's pen.
    pub pen: Color32,
    /// Shade around the spotlight.
    pub shade: Color32,
    pub viewport: ViewportColors,
}

/// Colours of the pictures in viewports.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewportColors {
    pub background_top: Color32,
    pub background_bottom: Color32,
    /// Surface without a material colour.
    pub surface: Color32,
    pub line: Color32,
    /// Ghost of the bind pose.
    pub ghost: Color32,
    /// Ghost of the rest pose.
    pub rest_ghost: Color32,
    pub normal: Color32,
    pub grid: Color32,
    /// Shadow on the ground.
    pub shadow: Color32,
    /// Weights above 1, beyond the bright end of viridis.
    pub over: Color32,
}

/// Text size of prose, in points. The other sizes are proportional to it.
pub const BODY_SIZE: f32 = 16.0;
/// Text size of a card's question or correction.
pub const LEAD_SIZE: f32 = 15.5;
/// Text size of tables and of the user interface: notices, windows, buttons to the next step.
pub const INTERFACE_SIZE: f32 = 15.0;
/// Text size of a card's body.
pub const CARD_SIZE: f32 = 14.5;
/// Text size of labels, code and numbers.
pub const SMALL_SIZE: f32 = 14.0;
/// Text size of captions, legends and small buttons.
pub const CAPTION_SIZE: f32 = 13.0;
/// Text size of bytes and paths, of which many have to fit.
pub const DENSE_SIZE: f32 = 12.5;
/// Text size of units, and of numbers on badges.
pub const FINE_SIZE: f32 = 12.0;
/// Size of an icon that is a button.
pub const ICON_SIZE: f32 = 16.0;
/// Text size of a step's title.
pub const TITLE_SIZE: f32 = 28.0;
/// Text size of a step's title on a phone.
pub const PHONE_TITLE: f32 = 23.0;
/// Text size of headings within a step.
pub const HEADING: f32 = 21.0;
/// Line height of prose divided by its text size.
pub const LINE_HEIGHT: f32 = 1.5;

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const OKABE_ITO: [u32; 6] = [0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00];

/// Colour of a blank screen.
pub const BLANK: Color32 = Color32::BLACK;

const OVER_ONE: Color32 = rgb(0xD81B60);

impl Theme {
    /// Returns the theme for readers who prefer more contrast: 7 to 1 for text (WCAG 1.4.6),
    /// and that of meaningful marks for lines.
    #[must_use]
    pub fn with_more_contrast(mut self) -> Self {
        const ENHANCED_TEXT: f32 = 7.0;
        let backgrounds = [self.paper, self.panel];
        for color in [
            &mut self.ink,
            &mut self.quiet,
            &mut self.accent,
            &mut self.wrong,
            &mut self.caution,
            &mut self.right,
        ] {
            *color = contrast::with_contrast(*color, &backgrounds, ENHANCED_TEXT);
        }
        for color in [&mut self.rule, &mut self.track, &mut self.lit_edge] {
            *color = contrast::with_contrast(*color, &backgrounds, MARK);
        }
        self
    }

    pub fn light() -> Self {
        Self {
            is_dark: false,
            paper: rgb(0xFBFAF7),
            cover: rgb(0xFBFAF7),
            panel: rgb(0xF3F2EC),
            ink: rgb(0x1E2328),
            quiet: rgb(0x5B6470),
            rule: rgb(0xE3E0D8),
            track: rgb(0x8C8880),
            accent: rgb(0x0B6E99),
            accent_wash: rgb(0xDDECF2),
            on_accent: rgb(0xFFFFFF),
            wrong: rgb(0xB3261E),
            wrong_wash: rgb(0xF9E3E0),
            caution: rgb(0x8A5A00),
            right: rgb(0x1B7A43),
            lit: rgb(0xFFF0C2),
            lit_edge: rgb(0xA67C00),
            bind: rgb(0x6E4C9B),
            world: rgb(0x4A525C),
            joints: OKABE_ITO.map(rgb),
            plate: rgb(0xFBFAF7),
            pen: rgb(0xB5179E),
            shade: Color32::from_black_alpha(150),
            axes: [rgb(0xD64541), rgb(0x2E9E4F), rgb(0x2F6FDE)],
            syntax: [rgb(0x8A3B9C), rgb(0x0B6E99), rgb(0x9A4A00), rgb(0x2B7A3A), rgb(0x616873)],
            viewport: ViewportColors {
                background_top: rgb(0xFDFDFC),
                background_bottom: rgb(0xE9EBEA),
                surface: rgb(0xDCE0E3),
                line: rgb(0x1E2328),
                ghost: rgb(0x6A6F94),
                rest_ghost: rgb(0xA0662C),
                normal: rgb(0x0B6E99),
                grid: rgb(0xC9CCCC),
                shadow: rgb(0x3A444E),
                over: OVER_ONE,
            },
        }
    }

    pub fn dark() -> Self {
        Self {
            is_dark: true,
            paper: rgb(0x16191D),
            cover: rgb(0x2A3138),
            panel: rgb(0x1E2227),
            ink: rgb(0xE8E6E1),
            quiet: rgb(0xA1AAB4),
            rule: rgb(0x2A2F36),
            track: rgb(0x6A727C),
            accent: rgb(0x5CB8E6),
            accent_wash: rgb(0x1B3442),
            on_accent: rgb(0x0E1418),
            wrong: rgb(0xFF8A80),
            wrong_wash: rgb(0x47211F),
            caution: rgb(0xF0B44C),
            right: rgb(0x6CCB8C),
            lit: rgb(0x443A14),
            lit_edge: rgb(0xC9A23C),
            bind: rgb(0xB79AE0),
            world: rgb(0xA9B2BC),
            joints: OKABE_ITO.map(rgb),
            plate: rgb(0xECEAE4),
            pen: rgb(0xFF8AE2),
            shade: Color32::from_black_alpha(190),
            axes: [rgb(0xE5645F), rgb(0x4DBE6E), rgb(0x6C9CF2)],
            syntax: [rgb(0xD59BE6), rgb(0x5CB8E6), rgb(0xF0A868), rgb(0x8FCF9A), rgb(0x939CA9)],
            viewport: ViewportColors {
                background_top: rgb(0x39424C),
                background_bottom: rgb(0x20262C),
                surface: rgb(0xA9B0B8),
                line: rgb(0xE8E6E1),
                ghost: rgb(0x8D93B4),
                rest_ghost: rgb(0xD49A5E),
                normal: rgb(0x5CB8E6),
                grid: rgb(0x46505A),
                shadow: rgb(0x0A0D10),
                over: OVER_ONE,
            },
        }
    }

    pub fn new(dark: bool) -> Self {
        if dark { Self::dark() } else { Self::light() }
    }

    /// Returns the colour of a joint as a fill or a line.
    ///
    /// Also show its number: colours repeat after six, and colour alone carries no meaning
    /// for many people.
    pub fn joint(&self, joint: JointIndex) -> Color32 {
        self.joints[joint.index() % self.joints.len()]
    }

    /// Returns true if a joint is drawn with a ring and its part of a surface is hatched,
    /// because it has the colour of an earlier joint.
    pub fn has_repeated_color(&self, joint: JointIndex) -> bool {
        (joint.index() / self.joints.len()) % 2 == 1
    }

    /// Returns a joint's colour as text that is legible on all backgrounds of the page.
    pub fn joint_text(&self, joint: JointIndex) -> Color32 {
        contrast::with_contrast(self.joint(joint), &self.text_backgrounds(), TEXT)
    }

    /// Returns a joint's colour as a line that is visible on the page.
    pub fn joint_line(&self, joint: JointIndex) -> Color32 {
        contrast::with_contrast(self.joint(joint), &[self.paper, self.panel], MARK)
    }

    /// Returns a joint's colour as a line in a viewport.
    pub fn joint_in_scene(&self, joint: JointIndex) -> Color32 {
        contrast::with_contrast(self.joint(joint), &self.scene_backgrounds(), MARK)
    }

    /// Returns the colour of axis x, y or z as a line in a viewport.
    pub fn axis_in_scene(&self, axis: usize) -> Color32 {
        contrast::with_contrast(self.axes[axis], &self.scene_backgrounds(), MARK)
    }

    /// Returns the colour of axis x, y or z as text on the page or in a viewport.
    pub fn axis_text(&self, axis: usize) -> Color32 {
        let [top, bottom] = self.scene_backgrounds();
        contrast::with_contrast(self.axes[axis], &[top, bottom, self.paper], TEXT)
    }

    /// Returns the colour nearest to `color` that is legible as text on `background`.
    pub fn text_on(&self, color: Color32, background: Color32) -> Color32 {
        contrast::with_contrast(color, &[background], TEXT)
    }

    /// Returns the colours that the page draws behind text.
    fn text_backgrounds(&self) -> [Color32; 4] {
        [self.paper, self.panel, self.lit, self.accent_wash]
    }

    fn scene_backgrounds(&self) -> [Color32; 2] {
        [self.viewport.background_top, self.viewport.background_bottom]
    }

    pub fn label(&self, text: impl Into<String>) -> RichText {
        RichText::new(text).size(SMALL_SIZE).color(self.quiet)
    }

    /// Formats secondary text below or beside a thing.
    pub fn caption(&self, text: impl Into<String>) -> RichText {
        RichText::new(text).size(CAPTION_SIZE).color(self.quiet)
    }

    /// Returns the theme of prose that was read: its text is quiet, its links and numbers
    /// keep their colours.
    #[must_use]
    pub fn read(&self) -> Self {
        Self { ink: self.quiet, ..self.clone() }
    }

    /// Returns the text colour on the accent or on another fill.
    pub fn text_on_accent_or(&self, fill: Color32) -> Color32 {
        if fill == self.accent { self.on_accent } else { self.text_on_fill(fill) }
    }

    /// Returns black or white, whichever has the higher contrast on a fill.
    pub fn text_on_fill(&self, fill: Color32) -> Color32 {
        if contrast(Color32::BLACK, fill) > contrast(Color32::WHITE, fill) {
            rgb(0x111417)
        } else {
            Color32::WHITE
        }
    }

    /// Returns the background of a matrix column: x, y, z, origin.
    pub fn column_background(&self, column: usize) -> Color32 {
        match self.axes.get(column) {
            Some(axis) => self.panel.lerp_to_gamma(*axis, 0.10),
            None => self.panel.lerp_to_gamma(self.quiet, 0.13),
        }
    }

    /// Returns the background of a joint's weight.
    pub fn weight_background(&self, joint: JointIndex) -> Color32 {
        self.paper.lerp_to_gamma(self.joint(joint), 0.30)
    }

    /// Gives empty radio buttons and checkboxes that are drawn next in `ui` a visible edge.
    pub fn edge_empty_marks(&self, ui: &mut Ui) {
        ui.visuals_mut().widgets.inactive.bg_stroke.color = self.track;
    }

    /// Returns the background of a pressed button.
    pub fn pressed_color(&self) -> Color32 {
        self.panel.lerp_to_gamma(self.track, 0.3)
    }

    /// Returns the colour of a weight from 0 to 1 on the viridis scale.
    pub fn weight(&self, weight: f32) -> Color32 {
        const STOPS: [u32; 9] = [
            0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C, 0x28AE80, 0x5EC962, 0xADDC30,
            0xFDE725,
        ];
        let position = weight.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
        let index = (position as usize).min(STOPS.len() - 2);
        let fraction = position - index as f32;
        rgb(STOPS[index]).lerp_to_gamma(rgb(STOPS[index + 1]), fraction)
    }

    /// Returns the colour of a unit vector: x, y and z from −1 to 1 as red, green and blue.
    pub fn direction(&self, unit: Vec3) -> Color32 {
        let [r, g, b] = unit.to_array().map(|part| ((part * 0.5 + 0.5) * 255.0).round() as u8);
        Color32::from_rgb(r, g, b)
    }

    /// Returns egui's style in this theme.
    pub fn style(&self) -> Style {
        let mut style = Style {
            text_styles: [
                (TextStyle::Small, FontId::proportional(CAPTION_SIZE)),
                (TextStyle::Body, FontId::proportional(INTERFACE_SIZE)),
                (TextStyle::Button, FontId::proportional(SMALL_SIZE)),
                (TextStyle::Heading, font::strong(HEADING)),
                (TextStyle::Monospace, FontId::monospace(SMALL_SIZE)),
            ]
            .into(),
            visuals: self.visuals(),
            animation_time: 0.12,
            ..Style::default()
        };
        style.drag_value_text_style = TextStyle::Monospace;
        style.spacing.item_spacing = Vec2::new(8.0, 8.0);
        style.spacing.button_padding = Vec2::new(10.0, 5.0);
        style.spacing.interact_size = Vec2::new(32.0, 28.0);
        style.spacing.icon_spacing = 8.0;
        style.spacing.slider_rail_height = 4.0;
        style.spacing.menu_margin = Margin::same(8);
        style.spacing.window_margin = Margin::same(16);
        style.spacing.tooltip_width = 360.0;
        style
    }

    fn visuals(&self) -> Visuals {
        let mut visuals = if self.is_dark { Visuals::dark() } else { Visuals::light() };
        visuals.override_text_color = Some(self.ink);
        visuals.weak_text_color = Some(self.quiet);
        visuals.hyperlink_color = self.accent;
        visuals.panel_fill = self.paper;
        visuals.window_fill = self.paper;
        visuals.window_stroke = Stroke::new(1.0, self.rule);
        visuals.window_corner_radius = CornerRadius::same(10);
        visuals.menu_corner_radius = CornerRadius::same(8);
        visuals.faint_bg_color = self.panel;
        visuals.extreme_bg_color = self.panel;
        visuals.code_bg_color = self.panel;
        visuals.warn_fg_color = self.caution;
        visuals.error_fg_color = self.wrong;
        visuals.selection.bg_fill = self.accent_wash;
        visuals.selection.stroke = Stroke::new(1.0, self.accent);
        visuals.slider_trailing_fill = true;
        visuals.handle_shape = HandleShape::Circle;
        visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, self.rule);
        visuals.widgets.noninteractive.fg_stroke = Stroke::new(1.0, self.ink);
        for (widget, fill, edge) in [
            (&mut visuals.widgets.inactive, self.paper, self.rule),
            // Hovered widgets have no accent, which marks chosen ones.
            (&mut visuals.widgets.hovered, self.panel, self.track),
            (&mut visuals.widgets.active, self.pressed_color(), self.accent),
            (&mut visuals.widgets.open, self.panel, self.accent),
        ] {
            widget.bg_fill = if self.is_dark { self.paper } else { self.rule };
            widget.weak_bg_fill = fill;
            widget.bg_stroke = Stroke::new(1.0, edge);
            widget.fg_stroke = Stroke::new(1.5, self.ink);
            widget.corner_radius = CornerRadius::same(6);
            widget.expansion = 0.0;
        }
        visuals
    }
}

#[cfg(test)]
mod tests;
