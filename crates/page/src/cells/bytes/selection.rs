//! What the reader looks at: an accessor, one of its elements, a byte, a line of
//! the JSON.

use bindpose_asset::{AccessorLayout, BufferPlace, ElementPlace, FileLayout};
use bindpose_lesson::Setting;
use bindpose_notebook::Entity;
use bindpose_notebook::file_bytes::{AccessorElement, joint_of, vertex_of};
use eframe::egui::{
    ComboBox, FontId, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use crate::PageContext;
use crate::cells::entity_chooser::{number, stepped};
use crate::theme::{CAPTION, DENSE, font};
use crate::widgets::{PaintText, Tip as _, combo, lit_shape};

/// What the reader looks at.
#[derive(Default)]
pub(super) struct BytesCellState {
    /// `None`: what the lesson shows first.
    pub(super) accessor: Option<usize>,
    /// Of accessors that belong to neither vertices nor joints.
    pub(super) element: usize,
    /// The byte that takes keys.
    pub(super) byte: Option<usize>,
    /// It takes the focus when it is drawn.
    pub(super) focus: bool,
    /// Offset of the byte under the pointer in the last frame.
    pub(super) hovered: Option<usize>,
    /// The line of JSON under the pointer in the last frame.
    pub(super) line: Option<Governs>,
    /// What was shown last, accessor and element, and how many bytes stood in a row;
    /// when one of these changes, the bytes scroll to it.
    pub(super) shown: Option<(usize, usize, usize)>,
    /// How far the bytes are scrolled, in points.
    pub(super) offset: f32,
    /// A number that is held while it is dragged: buffer, offset, value.
    pub(super) pending: Option<(usize, usize, f64)>,
}

/// What is shown in this frame.
pub(super) struct BytesView<'a> {
    pub(super) layout: &'a FileLayout,
    pub(super) index: usize,
    pub(super) accessor: &'a AccessorLayout,
    pub(super) element: usize,
    pub(super) ignore_stride: bool,
    /// Do whole numbers stand for fractions, as they are read now?
    pub(super) normalized: bool,
    /// `None`: the element has no bytes.
    pub(super) place: Option<ElementPlace>,
}

/// What a line of the JSON decides about the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Governs {
    /// Where the view begins.
    ViewStart,
    /// Where the view ends.
    ViewEnd,
    /// Where the first element begins.
    FirstElement,
    /// From one element to the next.
    Stride,
    /// The bytes of one number.
    Component,
    /// The bytes of one element.
    Element,
    /// Where the last element ends.
    Last,
    /// Another part of the JSON.
    Nothing,
}

/// Whose element this is.
pub(super) fn owner(
    page: &PageContext<'_>,
    view: &BytesView<'_>,
    element: usize,
) -> Option<Entity> {
    let place = AccessorElement { accessor: view.index, element };
    let rig = &page.derived.rig;
    vertex_of(rig, view.layout, place)
        .map(Entity::Vertex)
        .or_else(|| joint_of(rig, view.layout, place).map(Entity::Joint))
}

/// Shows another element, and chooses what it belongs to.
pub(super) fn choose(
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
    element: usize,
) {
    match owner(page, view, element) {
        Some(Entity::Vertex(vertex)) => page.choose(Setting::Vertex(vertex)),
        Some(Entity::Joint(joint)) => page.choose(Setting::Joint(joint.into())),
        _ => memory.element = element,
    }
}

// Which accessor is shown, and which of its elements.

pub(super) fn chooser_ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
) {
    let choose = |ui: &mut Ui, memory: &mut BytesCellState| {
        let list = ComboBox::from_id_salt((id, "accessor"))
            .width((ui.available_width() - 20.0).min(300.0))
            .truncate();
        let all = 0..view.layout.accessors.len();
        let title = |&index: &usize| title(index, &view.layout.accessors[index]);
        let chosen = combo(ui, list, "the accessor shown", &view.index, all, title);
        if chosen.is_some() {
            memory.accessor = chosen;
            memory.element = 0;
            memory.byte = None;
        }
    };
    if ui.available_width() < BESIDE {
        choose(ui, memory);
        ui.horizontal(|ui| element(ui, id, page, view, memory));
    } else {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            choose(ui, memory);
            element(ui, id, page, view, memory);
        });
    }
}

/// From this width on, the element is chosen beside the accessor.
const BESIDE: f32 = 520.0;

fn title(index: usize, accessor: &AccessorLayout) -> String {
    let used = accessor.uses.first().map_or("not used", String::as_str);
    format!("accessor {index}: {used}")
}

fn element(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
) {
    let count = view.accessor.count;
    if count == 0 {
        return;
    }
    // Where its number is the element's, it names it.
    let (title, after) = match owner(page, view, view.element) {
        Some(Entity::Vertex(vertex)) if vertex as usize == view.element => ("vertex", None),
        Some(Entity::Joint(joint)) if joint.index() == view.element => ("joint", None),
        Some(Entity::Vertex(vertex)) => ("element", Some(format!("of v{vertex}"))),
        Some(Entity::Joint(joint)) => ("element", Some(format!("of joint {}", joint.0))),
        _ => ("element", None),
    };
    ui.label(RichText::new(title).color(page.theme.quiet));
    let to = stepped(ui, "element", view.element, count, |ui| {
        let id = (id, "element");
        number(ui, id, view.element, count, "the element shown")
    });
    if let Some(words) = after {
        ui.label(RichText::new(words).color(page.theme.quiet));
    }
    if let Some(to) = to {
        choose(page, view, memory, to);
    }
}

// What the JSON says of the accessor, its view and its buffer.

const LINE: f32 = 20.0;

/// One line on the screen.
pub(super) struct JsonLine {
    pub(super) governs: Governs,
    /// Ends where its words end.
    pub(super) rect: Rect,
}

struct JsonEntry {
    key: &'static str,
    value: String,
    /// Stands for what is not written, or explains a code.
    gloss: String,
    governs: Governs,
    help: String,
    struck: bool,
}

/// Shows three objects; answers with where their lines are.
pub(super) fn json_ui(
    ui: &mut Ui,
    page: &PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
    width: f32,
) -> Vec<JsonLine> {
    let mut lines = Vec::new();
    let mut hovered = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    for (title, entries) in objects(view) {
        let title = RichText::new(title).font(font::mono_strong(CAPTION));
        ui.label(title.color(page.theme.ink));
        for entry in entries {
            let (rect, words_end) = line(ui, page, &entry, memory.line, width);
            if ui.rect_contains_pointer(rect) {
                hovered = Some(entry.governs);
            }
            lines.push(JsonLine {
                governs: entry.governs,
                rect: rect.with_max_x(words_end.min(rect.right())),
            });
        }
        ui.add_space(8.0);
    }
    if memory.line != hovered {
        memory.line = hovered;
        ui.ctx().request_repaint();
    }
    lines
}

fn objects(view: &BytesView<'_>) -> Vec<(String, Vec<JsonEntry>)> {
    let mut objects = vec![(format!("accessors[{}]", view.index), accessor(view))];
    let index = view.accessor.view;
    let Some((index, stored)) = index.and_then(|i| Some((i, view.layout.views.get(i)?))) else {
        return objects;
    };
    objects.push((format!("bufferViews[{index}]"), buffer_view(view, index)));
    let Some(buffer) = view.layout.buffers.get(stored.buffer) else {
        return objects;
    };
    let place = match &buffer.place {
        BufferPlace::Chunk => optional("uri", None, "BIN chunk", Governs::Nothing),
        BufferPlace::Beside(path) => entry("uri", path, Governs::Nothing),
        BufferPlace::Embedded => entry("uri", "data:…", Governs::Nothing),
        BufferPlace::Missing => optional("uri", None, "not found", Governs::Nothing),
    };
    let length = entry("byteLength", buffer.byte_length, Governs::Nothing);
    objects.push((format!("buffers[{}]", stored.buffer), vec![place, length]));
    objects
}

fn accessor(view: &BytesView<'_>) -> Vec<JsonEntry> {
    let accessor = view.accessor;
    let component = accessor.format.component;
    let (size, kind) = (component.size(), accessor.format.kind);
    let s = if size == 1 { "" } else { "s" };
    let mut entries = vec![
        optional("bufferView", accessor.view, "all zeros", Governs::Nothing),
        optional("byteOffset", accessor.byte_offset, "0", Governs::FirstElement)
            .help("From the start of the view to the first element. Not written, it is 0."),
        JsonEntry {
            gloss: component.name().to_owned(),
            ..entry("componentType", component.code(), Governs::Component)
        }
        .help(&format!("Each number is a {}: {size} byte{s}.", component.name())),
        entry("type", kind.name, Governs::Element).help(&format!(
            "Numbers of one element: {}. It takes {} bytes.",
            kind.components,
            accessor.format.size()
        )),
        entry("count", accessor.count, Governs::Last)
            .help("How many elements: the last one ends here."),
    ];
    if accessor.normalized {
        let normalized =
            JsonEntry { struck: !view.normalized, ..entry("normalized", true, Governs::Component) };
        entries.push(normalized.help("Whole numbers mean fractions: the largest is 1."));
    }
    if let Some(sparse) = &accessor.sparse {
        let count = sparse.indices.len();
        let replaced = entry("sparse", format!("{count} replaced"), Governs::Nothing);
        entries.push(replaced.help("These elements are taken from another view."));
    }
    entries
}

fn buffer_view(view: &BytesView<'_>, index: usize) -> Vec<JsonEntry> {
    let stored = view.layout.views[index];
    let size = view.accessor.format.size();
    let stride = stored.byte_stride;
    vec![
        entry("buffer", stored.buffer, Governs::Nothing),
        optional("byteOffset", stored.byte_offset, "0", Governs::ViewStart)
            .help("From the start of the buffer to the view. Not written, it is 0."),
        entry("byteLength", stored.byte_length, Governs::ViewEnd).help("The view ends here."),
        JsonEntry {
            struck: view.ignore_stride && stride.is_some(),
            ..optional("byteStride", stride, &format!("{size}, no gaps"), Governs::Stride)
        }
        .help("From the start of one element to the start of the next."),
    ]
}

impl JsonEntry {
    fn help(mut self, words: &str) -> Self {
        words.clone_into(&mut self.help);
        self
    }
}

fn entry(key: &'static str, value: impl std::fmt::Display, governs: Governs) -> JsonEntry {
    JsonEntry {
        key,
        value: format!("{value}"),
        gloss: String::new(),
        governs,
        help: String::new(),
        struck: false,
    }
}

/// What is not written stands for `default`.
fn optional(key: &'static str, value: Option<usize>, default: &str, governs: Governs) -> JsonEntry {
    match value {
        Some(value) => entry(key, value, governs),
        None => JsonEntry { gloss: format!("({default})"), ..entry(key, "", governs) },
    }
}

fn line(
    ui: &mut Ui,
    page: &PageContext<'_>,
    entry: &JsonEntry,
    lit: Option<Governs>,
    width: f32,
) -> (Rect, f32) {
    let theme = page.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(width, LINE), Sense::hover());
    let governs = entry.governs != Governs::Nothing;
    if governs && lit == Some(entry.governs) {
        ui.painter().add(lit_shape(theme, rect, 3.0));
    }
    let painter = ui.painter().with_clip_rect(rect);
    let font = FontId::monospace(DENSE);
    let y = rect.center().y;
    let put = |x: f32, text: &str, color| {
        let at = pos2(x, y);
        painter.text_left(at, text, font.clone(), color).right()
    };
    let x = put(rect.left() + 10.0, entry.key, theme.quiet) + 8.0;
    let color = if entry.struck { theme.wrong } else { theme.ink };
    let end = put(x, &entry.value, color);
    if entry.struck {
        painter.hline(x..=end, y, Stroke::new(1.5, theme.wrong));
    }
    let x = if entry.value.is_empty() { x } else { end + 6.0 };
    // Where there is no room, the tooltip explains the code.
    let gloss = painter.layout_no_wrap(entry.gloss.clone(), font.clone(), theme.quiet);
    let fits = x + gloss.size().x <= rect.right();
    let words_end = if fits && !entry.gloss.is_empty() { x + gloss.size().x } else { end };
    if fits {
        painter.galley_left(pos2(x, y), gloss, theme.quiet);
    }
    let parts = [entry.key, &entry.value, &entry.gloss];
    let spoken: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let ignored = if entry.struck { ", ignored" } else { "" };
    let spoken = format!("{}{ignored}", spoken.join(" "));
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
    if !entry.help.is_empty() {
        let words = match entry.gloss.as_str() {
            "" => entry.help.clone(),
            gloss => format!("{gloss}. {}", entry.help),
        };
        response.tip(words);
    }
    (rect, words_end)
}
