//! The JSON of the accessor, its buffer view and its buffer.

use std::fmt::Display;

use bindpose_gltf::BufferPlace;
use bindpose_kit::theme::{CAPTION_SIZE, DENSE_SIZE, font};
use bindpose_kit::widgets::{PaintText, Tip as _, highlight_shape};
use eframe::egui::{
    FontId, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::selection::{BytesCellState, BytesView, GovernedBytes};
use crate::PageContext;

const LINE_HEIGHT_PTS: f32 = 20.0;

/// A drawn line of JSON.
pub(super) struct JsonLine {
    pub(super) governs: GovernedBytes,
    /// Rectangle of the line, which ends where its text ends.
    pub(super) rect: Rect,
}

/// A property of a JSON object.
struct JsonProperty {
    key: &'static str,
    /// Text of the value. Empty if the file does not have the property.
    value: String,
    /// Name of a code, or the default value of a missing property.
    gloss: String,
    governs: GovernedBytes,
    /// Tooltip, or an empty string.
    help: String,
    /// Whether the current reading ignores the property.
    is_ignored: bool,
}

impl JsonProperty {
    fn new(key: &'static str, value: impl Display, governs: GovernedBytes) -> Self {
        Self {
            key,
            value: value.to_string(),
            gloss: String::new(),
            governs,
            help: String::new(),
            is_ignored: false,
        }
    }

    /// A property that the file may omit, which then has the default value.
    fn optional(
        key: &'static str,
        value: Option<usize>,
        default: &str,
        governs: GovernedBytes,
    ) -> Self {
        match value {
            Some(value) => Self::new(key, value, governs),
            None => Self { gloss: format!("({default})"), ..Self::new(key, "", governs) },
        }
    }

    fn help(mut self, text: impl Into<String>) -> Self {
        self.help = text.into();
        self
    }
}

/// Draws the three objects. Returns their lines, for the arrows to the bytes.
pub(super) fn json_ui(
    ui: &mut Ui,
    page: &PageContext<'_>,
    view: &BytesView<'_>,
    state: &mut BytesCellState,
    width: f32,
) -> Vec<JsonLine> {
    let mut lines = Vec::new();
    let mut hovered_line = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    for (title, properties) in json_objects(view) {
        let title = RichText::new(title).font(font::mono_strong(CAPTION_SIZE));
        ui.label(title.color(page.theme.ink));
        for property in properties {
            let is_lit = state.hovered_line == Some(property.governs);
            let (rect, text_right) = property_ui(ui, page, &property, is_lit, width);
            if ui.rect_contains_pointer(rect) {
                hovered_line = Some(property.governs);
            }
            let rect = rect.with_max_x(text_right.min(rect.right()));
            lines.push(JsonLine { governs: property.governs, rect });
        }
        ui.add_space(8.0);
    }
    if state.hovered_line != hovered_line {
        state.hovered_line = hovered_line;
        ui.ctx().request_repaint();
    }
    lines
}

/// Returns the titles and properties of the accessor, its buffer view and its buffer.
fn json_objects(view: &BytesView<'_>) -> Vec<(String, Vec<JsonProperty>)> {
    let title = format!("accessors[{}]", view.accessor_index);
    let mut objects = vec![(title, accessor_properties(view))];
    let Some(view_index) = view.accessor.view else {
        return objects;
    };
    let Some(buffer_view) = view.layout.views.get(view_index) else {
        return objects;
    };
    let title = format!("bufferViews[{view_index}]");
    objects.push((title, buffer_view_properties(view, view_index)));
    let Some(buffer) = view.layout.buffers.get(buffer_view.buffer) else {
        return objects;
    };
    let uri = match &buffer.place {
        BufferPlace::Chunk => {
            JsonProperty::optional("uri", None, "BIN chunk", GovernedBytes::Nothing)
        }
        BufferPlace::Beside(path) => JsonProperty::new("uri", path, GovernedBytes::Nothing),
        BufferPlace::Embedded => JsonProperty::new("uri", "data:…", GovernedBytes::Nothing),
        BufferPlace::Missing => {
            JsonProperty::optional("uri", None, "not found", GovernedBytes::Nothing)
        }
    };
    let length = JsonProperty::new("byteLength", buffer.byte_length, GovernedBytes::Nothing);
    objects.push((format!("buffers[{}]", buffer_view.buffer), vec![uri, length]));
    objects
}

fn accessor_properties(view: &BytesView<'_>) -> Vec<JsonProperty> {
    let accessor = view.accessor;
    let component = accessor.format.component;
    let kind = accessor.format.kind;
    let size = component.size();
    let plural = if size == 1 { "" } else { "s" };
    let mut component_type =
        JsonProperty::new("componentType", component.code(), GovernedBytes::Component)
            .help(format!("Each number is a {}: {size} byte{plural}.", component.name()));
    component_type.gloss = component.name().into();
    let mut properties = vec![
        JsonProperty::optional("bufferView", accessor.view, "all zeros", GovernedBytes::Nothing),
        JsonProperty::optional(
            "byteOffset",
            accessor.byte_offset,
            "0",
            GovernedBytes::FirstElement,
        )
        .help("From the start of the view to the first element. Not written, it is 0."),
        component_type,
        JsonProperty::new("type", kind.name, GovernedBytes::Element).help(format!(
            "Numbers of one element: {}. It takes {} bytes.",
            kind.components,
            accessor.format.size()
        )),
        JsonProperty::new("count", accessor.count, GovernedBytes::Last)
            .help("How many elements: the last one ends here."),
    ];
    if accessor.normalized {
        let mut normalized = JsonProperty::new("normalized", true, GovernedBytes::Component)
            .help("Whole numbers mean fractions: the largest is 1.");
        normalized.is_ignored = !view.normalized;
        properties.push(normalized);
    }
    if let Some(sparse) = &accessor.sparse {
        let value = format!("{} replaced", sparse.indices.len());
        properties.push(
            JsonProperty::new("sparse", value, GovernedBytes::Nothing)
                .help("These elements are taken from another view."),
        );
    }
    properties
}

fn buffer_view_properties(view: &BytesView<'_>, view_index: usize) -> Vec<JsonProperty> {
    let buffer_view = &view.layout.views[view_index];
    let default_stride = format!("{}, no gaps", view.accessor.format.size());
    let mut stride = JsonProperty::optional(
        "byteStride",
        buffer_view.byte_stride,
        &default_stride,
        GovernedBytes::Stride,
    )
    .help("From the start of one element to the start of the next.");
    stride.is_ignored = view.ignore_stride && buffer_view.byte_stride.is_some();
    vec![
        JsonProperty::new("buffer", buffer_view.buffer, GovernedBytes::Nothing),
        JsonProperty::optional(
            "byteOffset",
            buffer_view.byte_offset,
            "0",
            GovernedBytes::ViewStart,
        )
        .help("From the start of the buffer to the view. Not written, it is 0."),
        JsonProperty::new("byteLength", buffer_view.byte_length, GovernedBytes::ViewEnd)
            .help("The view ends here."),
        stride,
    ]
}

/// Draws a property in a line. Returns the rectangle of the line and the right end of its
/// text.
fn property_ui(
    ui: &mut Ui,
    page: &PageContext<'_>,
    property: &JsonProperty,
    is_lit: bool,
    width: f32,
) -> (Rect, f32) {
    let theme = page.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(width, LINE_HEIGHT_PTS), Sense::hover());
    if is_lit && property.governs != GovernedBytes::Nothing {
        ui.painter().add(highlight_shape(theme, rect, 3.0));
    }
    let painter = ui.painter().with_clip_rect(rect);
    let font = FontId::monospace(DENSE_SIZE);
    let y = rect.center().y;
    let key_left = pos2(rect.left() + 10.0, y);
    let key_rect = painter.text_left(key_left, property.key, font.clone(), theme.quiet);
    let value_left = key_rect.right() + 8.0;
    let color = if property.is_ignored { theme.wrong } else { theme.ink };
    let value_right =
        painter.text_left(pos2(value_left, y), &property.value, font.clone(), color).right();
    if property.is_ignored {
        painter.hline(value_left..=value_right, y, Stroke::new(1.5, theme.wrong));
    }
    let gloss_left = if property.value.is_empty() { value_left } else { value_right + 6.0 };
    let gloss = painter.layout_no_wrap(property.gloss.clone(), font, theme.quiet);
    let gloss_right = gloss_left + gloss.size().x;
    // Without room for the gloss, only the tooltip has it.
    let has_room = gloss_right <= rect.right();
    let text_right = if has_room && !property.gloss.is_empty() { gloss_right } else { value_right };
    if has_room {
        painter.galley_left(pos2(gloss_left, y), gloss, theme.quiet);
    }
    let mut label = property.key.to_owned();
    for part in [&property.value, &property.gloss] {
        if !part.is_empty() {
            label.push(' ');
            label.push_str(part);
        }
    }
    if property.is_ignored {
        label.push_str(", ignored");
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    if !property.help.is_empty() {
        response.tip(match property.gloss.as_str() {
            "" => property.help.clone(),
            gloss => format!("{gloss}. {}", property.help),
        });
    }
    (rect, text_right)
}
