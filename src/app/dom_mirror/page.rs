//! The elements of a whole page.

use std::collections::{HashMap, HashSet};

use eframe::egui::accesskit::{Action, Node, NodeId, Rect, Role, Toggled, TreeUpdate};

use super::{Element, FieldValue, attributes, dom_id};

/// A page as elements, and which of them has the focus.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct MirroredPage {
    /// What everything is in.
    pub(in crate::app) root: Element,
    /// What keys go to; `None`: the page itself.
    pub(in crate::app) focus: Option<u64>,
    /// What the reader is at within what has the focus, as an entry of a list.
    pub(in crate::app) active: Option<u64>,
    /// The first and the last to which Tab leads.
    pub(in crate::app) ends: Option<(u64, u64)>,
}

impl MirroredPage {
    /// Before anything was shown, in the element of the node `root`.
    pub(in crate::app) fn empty(root: u64) -> Self {
        Self { root: Element::new(root, "div"), focus: None, active: None, ends: None }
    }

    /// What the tree says; its lengths are times `scale` those of the web page.
    /// `None` for a tree without a root.
    pub(in crate::app) fn of(tree: &TreeUpdate, scale: f64) -> Option<Self> {
        let nodes: HashMap<NodeId, &Node> = tree.nodes.iter().map(|(id, n)| (*id, n)).collect();
        let root = tree.tree.as_ref()?.root;
        let mut reader = TreeReader {
            nodes: &nodes,
            seen: HashSet::from([root]),
            scale,
            ends: None,
            around: HashMap::new(),
        };
        let mut element = Element::new(root.0, "div");
        reader.children(nodes.get(&root)?, "", &mut element.children);
        let ends = reader.ends;
        gather_over_the_page(&mut element.children);
        let focus = Some(tree.focus.0).filter(|&id| id != root.0);
        let focus = focus.filter(|&id| element.find(id).is_some());
        let active = focus.and_then(|id| nodes.get(&NodeId(id))?.active_descendant());
        let active = active.map(|id| id.0);
        Some(Self {
            focus,
            active: active.filter(|&id| element.find(id).is_some()),
            root: element,
            ends,
        })
    }

    /// What has the focus.
    pub(in crate::app) fn focused(&self) -> Option<&Element> {
        self.root.find(self.focus?)
    }
}

/// Between which screen readers jump, and dialogs.
const LANDMARKS: &[&str] =
    &["alertdialog", "banner", "complementary", "dialog", "main", "navigation", "region"];
/// The number of an element for which there is no node.
const OVER_THE_PAGE: u64 = u64::MAX;

/// Roles whose elements hold no others: what is in their nodes, such as the menu of
/// a button, comes after them.
const HOLDS_NOTHING: &[&str] = &[
    "button",
    "checkbox",
    "combobox",
    "img",
    "link",
    "math",
    "meter",
    "option",
    "progressbar",
    "radio",
    "separator",
    "switch",
];

struct TreeReader<'t> {
    nodes: &'t HashMap<NodeId, &'t Node>,
    /// A tree that is none ends somewhere all the same.
    seen: HashSet<NodeId>,
    scale: f64,
    ends: Option<(u64, u64)>,
    /// Of nodes that say no place of their own, what is around their children.
    around: HashMap<NodeId, Option<Rect>>,
}

impl TreeReader<'_> {
    /// `role`: of the element that they come into.
    fn children(&mut self, node: &Node, role: &str, into: &mut Vec<Element>) {
        for &id in node.children() {
            if self.seen.insert(id)
                && let Some(child) = self.nodes.get(&id)
            {
                self.node(id, child, role, into);
            }
        }
    }

    fn node(&mut self, id: NodeId, node: &Node, parent: &str, into: &mut Vec<Element>) {
        if node.is_hidden() {
            return;
        }
        if node.supports_action(Action::Focus) && !node.is_disabled() {
            self.ends = Some((self.ends.map_or(id.0, |(first, _)| first), id.0));
        }
        match shape_of(node, parent) {
            ElementShape::Nothing => {}
            ElementShape::Children => self.children(node, parent, into),
            ElementShape::Field(kind) => into.push(self.field(id, node, kind)),
            ElementShape::Named(tag, role) => {
                let mut element = self.element(id, node, (tag, role), false);
                let mut inside = Vec::new();
                if HOLDS_NOTHING.contains(&role) {
                    inside = std::mem::take(&mut element.children);
                    name_opened(&mut element, &mut inside);
                }
                into.push(element);
                into.extend(inside);
            }
            ElementShape::Worded(tag, role) => {
                let element = self.element(id, node, (tag, role), true);
                let said = element.children.len() + element.text.len() + element.attributes.len();
                // A place that is kept free, or a click catcher.
                if !role.is_empty() || said > 1 {
                    into.push(element);
                }
            }
        }
    }

    fn element(
        &mut self,
        id: NodeId,
        node: &Node,
        (tag, role): (&'static str, &'static str),
        worded: bool,
    ) -> Element {
        let mut element = Element::new(id.0, tag);
        let to = &mut element.attributes;
        if !role.is_empty() {
            to.insert("role", role.to_owned());
        }
        self.place(id, node, to);
        attributes::states(node, role, false, &|id| self.has_element(id), to);
        if matches!(role, "progressbar" | "meter" | "separator") {
            attributes::progress(node, to);
        }
        self.children(node, role, &mut element.children);
        if role == "tree" {
            put_into_items(&mut element.children);
        }
        let name = self.name(node);
        let value = node.value().unwrap_or_default();
        if element.attributes.get("aria-description") == Some(&name) {
            element.attributes.remove("aria-description");
        }
        let words = match (name.is_empty(), value.is_empty() || value == name) {
            (true, _) => value.to_owned(),
            (false, false) if worded => format!("{name}: {value}"),
            (false, _) => name.clone(),
        };
        if words.is_empty() {
            return element;
        }
        if role == "combobox" {
            // What is chosen is its content.
            value.clone_into(&mut element.text);
            if !name.is_empty() && name != value {
                element.attributes.insert("aria-label", name);
            }
        } else if worded && element.children.is_empty() {
            element.text = words;
        } else if !role.is_empty() {
            element.attributes.insert("aria-label", words);
        }
        element
    }

    /// `kind`: its type; `multiline` is an element of its own.
    fn field(&mut self, id: NodeId, node: &Node, kind: &'static str) -> Element {
        let tag = if kind == "multiline" { "textarea" } else { "input" };
        let mut element = Element::new(id.0, tag);
        let to = &mut element.attributes;
        if tag == "input" {
            to.insert("type", kind.to_owned());
            to.insert("autocomplete", "off".to_owned());
        }
        self.place(id, node, to);
        attributes::states(node, "", true, &|id| self.has_element(id), to);
        let name = self.name(node);
        if !name.is_empty() {
            to.insert("aria-label", name);
        }
        if let Some(hint) = node.placeholder().filter(|hint| !hint.is_empty()) {
            to.insert("placeholder", hint.to_owned());
        }
        let text = || FieldValue::Text(node.value().unwrap_or_default().to_owned());
        if matches!(kind, "range" | "number") {
            attributes::range(node, to);
            let number = node.numeric_value().filter(|number| number.is_finite());
            element.value =
                Some(number.map_or(FieldValue::Text(String::new()), FieldValue::Number));
        } else {
            if node.is_read_only() || !node.supports_action(Action::SetValue) {
                to.insert("readonly", String::new());
            }
            element.value = Some(text());
        }
        element
    }

    /// Its own name, or that of what names it.
    fn name(&self, node: &Node) -> String {
        if let Some(label) = node.label() {
            return label.to_owned();
        }
        let named_by = node.labelled_by().iter();
        let nodes = named_by.filter_map(|id| self.nodes.get(id));
        let words: Vec<&str> = nodes.filter_map(|node| node.label().or(node.value())).collect();
        words.join(" ")
    }

    /// Where it stands, to whole pixels.
    fn place(&mut self, id: NodeId, node: &Node, to: &mut attributes::Attributes) {
        let Some(Rect { x0, y0, x1, y1 }) = self.bounds(id, node) else {
            return;
        };
        let at = |points: f64| (points * self.scale).round();
        let (left, top) = (at(x0), at(y0));
        let (width, height) = ((at(x1) - left).max(1.0), (at(y1) - top).max(1.0));
        if [left, top, width, height].iter().all(|x| x.abs() < 1e6) {
            let style = format!("left:{left}px;top:{top}px;width:{width}px;height:{height}px");
            to.insert("style", style);
        }
    }

    /// A part of the page that is no control reaches around what is in it.
    fn bounds(&mut self, id: NodeId, node: &Node) -> Option<Rect> {
        if node.bounds().is_some() {
            return node.bounds();
        }
        if let Some(known) = self.around.get(&id) {
            return *known;
        }
        self.around.insert(id, None);
        let mut all: Option<Rect> = None;
        for &child in node.children() {
            if let Some(node) = self.nodes.get(&child).copied()
                && let Some(rect) = self.bounds(child, node)
            {
                all = Some(all.map_or(rect, |all| all.union(rect)));
            }
        }
        self.around.insert(id, all);
        all
    }

    fn has_element(&self, id: NodeId) -> bool {
        self.nodes.get(&id).is_some_and(|node| {
            !node.is_hidden()
                && !matches!(shape_of(node, ""), ElementShape::Children | ElementShape::Nothing)
        })
    }
}

/// What lies over the page and is no dialog, such as messages, in a landmark of its
/// own: nothing is in none.
fn gather_over_the_page(children: &mut Vec<Element>) {
    let stands = |it: &Element| {
        let role = it.attributes.get("role");
        role.is_some_and(|role| LANDMARKS.contains(&role.as_str()))
    };
    let (parts, loose): (Vec<_>, Vec<_>) = children.drain(..).partition(stands);
    *children = parts;
    if !loose.is_empty() {
        let mut region = Element::new(OVER_THE_PAGE, "div");
        for (name, value) in [("role", "region"), ("aria-label", "Over the page")] {
            region.attributes.insert(name, value.to_owned());
        }
        region.children = loose;
        children.push(region);
    }
}

/// A list or a menu that says no name has that of the control which opened it.
fn name_opened(opener: &mut Element, opened: &mut [Element]) {
    let role_of = |it: &Element| it.attributes.get("role").cloned().unwrap_or_default();
    for it in opened {
        let role = role_of(it);
        if role_of(opener) == "combobox" && role == "listbox" {
            let to = &mut opener.attributes;
            to.insert("aria-expanded", "true".to_owned());
            to.insert("aria-controls", dom_id(it.id));
        }
        if matches!(role.as_str(), "listbox" | "group")
            && let Some(name) = opener.attributes.get("aria-label")
        {
            it.attributes.entry("aria-label").or_insert(name.clone());
        }
    }
}

/// A tree has items alone: a button beside one is in it.
fn put_into_items(children: &mut Vec<Element>) {
    let is_item = |it: &Element| it.attributes.get("role").is_some_and(|is| is == "treeitem");
    let mut items: Vec<Element> = Vec::new();
    for child in children.drain(..) {
        match items.last_mut().filter(|_| !is_item(&child)) {
            Some(item) => item.children.push(child),
            None => items.push(child),
        }
    }
    *children = items;
}

/// Of the node in an element with the role `parent`.
fn shape_of(node: &Node, parent: &str) -> ElementShape {
    let chosen = node.toggled() == Some(Toggled::True);
    let used = node.supports_action(Action::Click) || chosen;
    match node.role() {
        // An entry of a list that leads somewhere, with or without its list.
        Role::ListItem if used => ElementShape::Named("div", "link"),
        Role::ListItem if parent != "list" => ElementShape::Worded("div", ""),
        // Whatever else is in a list of choices is one.
        Role::Button | Role::RadioButton | Role::CheckBox if parent == "listbox" => {
            ElementShape::Named("div", "option")
        }
        // Who hears a dialog announced wants to know which.
        Role::Dialog if node.label().is_none() => ElementShape::Named("div", "group"),
        // A row whose cells stand elsewhere says nothing.
        Role::Row if node.children().is_empty() => ElementShape::Nothing,
        role => shape_of_role(role).unwrap_or(ElementShape::Named("div", "group")),
    }
}

// Which element stands for which role.

/// What becomes of a node with some role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ElementShape {
    /// No element: its children stand where it would.
    Children,
    /// Neither it nor what is below: others say it already.
    Nothing,
    /// An element with this tag and this `role`; empty: what the tag has anyway.
    Named(&'static str, &'static str),
    /// The same, whose words are its content, not its `aria-label`.
    Worded(&'static str, &'static str),
    /// An `input` of this type.
    Field(&'static str),
}

/// `None`: a role that no page of the notebook has had so far.
pub(super) fn shape_of_role(role: Role) -> Option<ElementShape> {
    use ElementShape::{Children, Field, Named, Nothing, Worded};
    Some(match role {
        Role::GenericContainer | Role::Pane | Role::Window | Role::ScrollView => Children,
        Role::TextRun | Role::ScrollBar => Nothing,

        Role::Banner => Named("div", "banner"),
        Role::Navigation => Named("div", "navigation"),
        Role::Main => Named("div", "main"),
        Role::Complementary => Named("div", "complementary"),
        Role::Region => Named("div", "region"),
        Role::Group | Role::Menu => Named("div", "group"),
        Role::RadioGroup => Named("div", "radiogroup"),
        Role::Dialog => Named("div", "dialog"),
        Role::AlertDialog => Named("div", "alertdialog"),

        // A tab, for one that has no list of tabs around it.
        Role::Tab
        | Role::Button
        | Role::DefaultButton
        | Role::ColorWell
        | Role::DisclosureTriangle => Named("div", "button"),
        Role::Link => Named("div", "link"),
        Role::CheckBox => Named("div", "checkbox"),
        Role::Switch => Named("div", "switch"),
        Role::RadioButton => Named("div", "radio"),
        Role::ComboBox => Named("div", "combobox"),
        Role::ListBox => Named("div", "listbox"),
        Role::ListBoxOption => Named("div", "option"),
        Role::Tree => Named("div", "tree"),
        Role::TreeItem => Named("div", "treeitem"),
        Role::Splitter => Named("div", "separator"),

        Role::Slider => Field("range"),
        Role::SpinButton | Role::NumberInput => Field("number"),
        Role::TextInput => Field("text"),
        Role::SearchInput => Field("search"),
        Role::PasswordInput => Field("password"),
        Role::MultilineTextInput => Field("multiline"),

        Role::Label | Role::Unknown => Worded("div", ""),
        Role::Paragraph => Worded("p", ""),
        Role::Code => Worded("div", "code"),
        Role::Heading => Worded("div", "heading"),
        Role::Status => Worded("div", "status"),
        Role::Alert => Worded("div", "alert"),
        Role::Tooltip => Worded("div", "tooltip"),
        Role::Note => Worded("div", "note"),
        Role::List => Named("div", "list"),
        Role::ListItem => Worded("div", "listitem"),
        Role::Table => Named("div", "table"),
        Role::Row => Named("div", "row"),
        Role::Cell => Worded("div", "cell"),
        Role::ColumnHeader => Worded("div", "columnheader"),
        Role::RowHeader => Worded("div", "rowheader"),

        Role::Image | Role::Canvas | Role::Figure => Named("div", "img"),
        Role::Math => Named("div", "math"),
        Role::ProgressIndicator => Named("div", "progressbar"),
        Role::Meter => Named("div", "meter"),
        _ => return None,
    })
}
