//! Mirrors the AccessKit tree of a whole page.

use std::collections::{HashMap, HashSet};

use eframe::egui::accesskit::{Action, Node, NodeId, Rect, Role, Toggled, TreeUpdate};

use super::attributes::{Attributes, add_progress, add_range, add_states};
use super::{Element, FieldValue, dom_id};

/// A page as elements, with its focus.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct MirroredPage {
    pub(in crate::app) root: Element,
    /// Element that receives keys. `None` for the page itself.
    pub(in crate::app) focus: Option<u64>,
    /// Current item within the focused element, such as an entry of a list.
    pub(in crate::app) active: Option<u64>,
    /// First and last element that Tab reaches.
    pub(in crate::app) ends: Option<(u64, u64)>,
}

impl MirroredPage {
    /// Creates a page without elements, except that of the root node.
    pub(in crate::app) fn empty(root: u64) -> Self {
        Self { root: Element::new(root, "div"), focus: None, active: None, ends: None }
    }

    /// Converts a tree. `scale` is the number of CSS pixels per unit of the tree's lengths.
    /// Returns `None` for a tree without a root.
    pub(in crate::app) fn from_tree(tree: &TreeUpdate, scale: f64) -> Option<Self> {
        let nodes: HashMap<NodeId, &Node> =
            tree.nodes.iter().map(|(id, node)| (*id, node)).collect();
        let root_id = tree.tree.as_ref()?.root;
        let mut reader = TreeReader {
            nodes: &nodes,
            visited: HashSet::from([root_id]),
            scale,
            ends: None,
            child_bounds: HashMap::new(),
        };
        let mut root = Element::new(root_id.0, "div");
        reader.add_children(nodes.get(&root_id)?, "", &mut root.children);
        let ends = reader.ends;
        gather_overlays(&mut root.children);
        let focus = Some(tree.focus.0).filter(|&id| id != root_id.0 && root.find(id).is_some());
        let active = focus
            .and_then(|id| nodes.get(&NodeId(id))?.active_descendant())
            .map(|id| id.0)
            .filter(|&id| root.find(id).is_some());
        Some(Self { root, focus, active, ends })
    }

    pub(in crate::app) fn focused(&self) -> Option<&Element> {
        self.root.find(self.focus?)
    }
}

/// Roles of landmarks, between which screen readers jump, and of dialogs.
const LANDMARK_ROLES: &[&str] =
    &["alertdialog", "banner", "complementary", "dialog", "main", "navigation", "region"];

/// Id of the region around overlays, which mirrors no node.
const OVERLAY_REGION_ID: u64 = u64::MAX;

/// Roles whose elements contain no others. Children of their nodes, such as the menu of a
/// button, follow after them.
const CHILDLESS_ROLES: &[&str] = &[
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
    /// Nodes converted so far, so that a malformed tree with a cycle ends.
    visited: HashSet<NodeId>,
    scale: f64,
    ends: Option<(u64, u64)>,
    /// Bounds of the children of nodes that have no bounds of their own.
    child_bounds: HashMap<NodeId, Option<Rect>>,
}

impl TreeReader<'_> {
    /// Adds the elements of a node's children. `role` is that of the element they are added to.
    fn add_children(&mut self, node: &Node, role: &str, out: &mut Vec<Element>) {
        for &id in node.children() {
            if self.visited.insert(id)
                && let Some(child) = self.nodes.get(&id)
            {
                self.add_node(id, child, role, out);
            }
        }
    }

    fn add_node(&mut self, id: NodeId, node: &Node, parent_role: &str, out: &mut Vec<Element>) {
        if node.is_hidden() {
            return;
        }
        if node.supports_action(Action::Focus) && !node.is_disabled() {
            self.ends = Some((self.ends.map_or(id.0, |(first, _)| first), id.0));
        }
        match shape_of(node, parent_role) {
            ElementShape::Nothing => {}
            ElementShape::Children => self.add_children(node, parent_role, out),
            ElementShape::Field(kind) => out.push(self.field(id, node, kind)),
            ElementShape::Named(tag, role) => {
                let mut element = self.element(id, node, tag, role, false);
                let mut following = Vec::new();
                if CHILDLESS_ROLES.contains(&role) {
                    following = std::mem::take(&mut element.children);
                    connect_popups(&mut element, &mut following);
                }
                out.push(element);
                out.extend(following);
            }
            ElementShape::Worded(tag, role) => {
                let element = self.element(id, node, tag, role, true);
                let content_count =
                    element.children.len() + element.text.len() + element.attributes.len();
                // Skip reserved space and areas that only catch clicks.
                if !role.is_empty() || content_count > 1 {
                    out.push(element);
                }
            }
        }
    }

    /// Converts a node to an element other than a field. `has_text` is true if its words are its
    /// content, not its `aria-label`.
    fn element(
        &mut self,
        id: NodeId,
        node: &Node,
        tag: &'static str,
        role: &'static str,
        has_text: bool,
    ) -> Element {
        let mut element = Element::new(id.0, tag);
        let attributes = &mut element.attributes;
        if !role.is_empty() {
            attributes.insert("role", role.to_owned());
        }
        self.add_position(id, node, attributes);
        add_states(node, role, false, &|id| self.has_element(id), attributes);
        if matches!(role, "progressbar" | "meter" | "separator") {
            add_progress(node, attributes);
        }
        self.add_children(node, role, &mut element.children);
        if role == "tree" {
            move_into_tree_items(&mut element.children);
        }
        let name = self.name(node);
        let value = node.value().unwrap_or_default();
        if element.attributes.get("aria-description") == Some(&name) {
            element.attributes.remove("aria-description");
        }
        let words = match (name.is_empty(), value.is_empty() || value == name) {
            (true, _) => value.to_owned(),
            (false, false) if has_text => format!("{name}: {value}"),
            (false, _) => name.clone(),
        };
        if words.is_empty() {
            return element;
        }
        if role == "combobox" {
            // The content of a combo box is the chosen value.
            value.clone_into(&mut element.text);
            if !name.is_empty() && name != value {
                element.attributes.insert("aria-label", name);
            }
        } else if has_text && element.children.is_empty() {
            element.text = words;
        } else if !role.is_empty() {
            element.attributes.insert("aria-label", words);
        }
        element
    }

    /// Converts a node to an `input` of type `kind`, or to a `textarea` for "multiline".
    fn field(&mut self, id: NodeId, node: &Node, kind: &'static str) -> Element {
        let tag = if kind == "multiline" { "textarea" } else { "input" };
        let mut element = Element::new(id.0, tag);
        let attributes = &mut element.attributes;
        if tag == "input" {
            attributes.insert("type", kind.to_owned());
            attributes.insert("autocomplete", "off".to_owned());
        }
        self.add_position(id, node, attributes);
        add_states(node, "", true, &|id| self.has_element(id), attributes);
        let name = self.name(node);
        if !name.is_empty() {
            attributes.insert("aria-label", name);
        }
        if let Some(hint) = node.placeholder().filter(|hint| !hint.is_empty()) {
            attributes.insert("placeholder", hint.to_owned());
        }
        if matches!(kind, "range" | "number") {
            add_range(node, attributes);
            let number = node.numeric_value().filter(|number| number.is_finite());
            element.value =
                Some(number.map_or(FieldValue::Text(String::new()), FieldValue::Number));
        } else {
            if node.is_read_only() || !node.supports_action(Action::SetValue) {
                attributes.insert("readonly", String::new());
            }
            element.value = Some(FieldValue::Text(node.value().unwrap_or_default().to_owned()));
        }
        element
    }

    /// Name of a node: its own label, or the words of the nodes that label it.
    fn name(&self, node: &Node) -> String {
        if let Some(label) = node.label() {
            return label.to_owned();
        }
        let mut words: Vec<&str> = Vec::new();
        for id in node.labelled_by() {
            if let Some(labelling) = self.nodes.get(id) {
                words.extend(labelling.label().or(labelling.value()));
            }
        }
        words.join(" ")
    }

    /// Adds a style with the position of a node, rounded to pixels.
    fn add_position(&mut self, id: NodeId, node: &Node, attributes: &mut Attributes) {
        let Some(Rect { x0, y0, x1, y1 }) = self.bounds(id, node) else {
            return;
        };
        let [left, top, right, bottom] =
            [x0, y0, x1, y1].map(|length| (length * self.scale).round());
        let width = (right - left).max(1.0);
        let height = (bottom - top).max(1.0);
        if [left, top, width, height].iter().all(|length| length.abs() < 1e6) {
            let style = format!("left:{left}px;top:{top}px;width:{width}px;height:{height}px");
            attributes.insert("style", style);
        }
    }

    /// Bounds of a node. A node without its own, as a part of the page that is no control, has
    /// the bounds of its children.
    fn bounds(&mut self, id: NodeId, node: &Node) -> Option<Rect> {
        if node.bounds().is_some() {
            return node.bounds();
        }
        if let Some(known) = self.child_bounds.get(&id) {
            return *known;
        }
        self.child_bounds.insert(id, None);
        let mut union: Option<Rect> = None;
        for &child_id in node.children() {
            if let Some(child) = self.nodes.get(&child_id).copied()
                && let Some(rect) = self.bounds(child_id, child)
            {
                union = Some(union.map_or(rect, |union| union.union(rect)));
            }
        }
        self.child_bounds.insert(id, union);
        union
    }

    fn has_element(&self, id: NodeId) -> bool {
        self.nodes.get(&id).is_some_and(|node| {
            !node.is_hidden()
                && !matches!(shape_of(node, ""), ElementShape::Children | ElementShape::Nothing)
        })
    }
}

/// Moves elements over the page that are not dialogs, such as messages, into a landmark of their
/// own, because every element should be in one.
fn gather_overlays(children: &mut Vec<Element>) {
    let mut overlays = Vec::new();
    for child in std::mem::take(children) {
        if LANDMARK_ROLES.contains(&role_of(&child)) {
            children.push(child);
        } else {
            overlays.push(child);
        }
    }
    if overlays.is_empty() {
        return;
    }
    let mut region = Element::new(OVERLAY_REGION_ID, "div");
    region.attributes.insert("role", "region".to_owned());
    region.attributes.insert("aria-label", "Over the page".to_owned());
    region.children = overlays;
    children.push(region);
}

/// Connects a control to the lists and menus that it opened. A list or menu without a name gets
/// that of the control.
fn connect_popups(opener: &mut Element, popups: &mut [Element]) {
    let is_combo_box = role_of(opener) == "combobox";
    for popup in popups {
        if is_combo_box && role_of(popup) == "listbox" {
            opener.attributes.insert("aria-expanded", "true".to_owned());
            opener.attributes.insert("aria-controls", dom_id(popup.id));
        }
        if matches!(role_of(popup), "listbox" | "group")
            && let Some(name) = opener.attributes.get("aria-label")
        {
            popup.attributes.entry("aria-label").or_insert(name.clone());
        }
    }
}

/// Moves other children of a tree, such as buttons, into the item before them, because a tree
/// contains only items.
fn move_into_tree_items(children: &mut Vec<Element>) {
    let mut items: Vec<Element> = Vec::new();
    for child in std::mem::take(children) {
        match items.last_mut() {
            Some(item) if role_of(&child) != "treeitem" => item.children.push(child),
            _ => items.push(child),
        }
    }
    *children = items;
}

fn role_of(element: &Element) -> &str {
    element.attributes.get("role").map_or("", String::as_str)
}

/// Returns the shape of a node inside an element with the role `parent_role`.
fn shape_of(node: &Node, parent_role: &str) -> ElementShape {
    let is_chosen = node.toggled() == Some(Toggled::True);
    let is_used = node.supports_action(Action::Click) || is_chosen;
    match node.role() {
        // An entry of a list that leads to another place, with or without its list.
        Role::ListItem if is_used => ElementShape::Named("div", "link"),
        Role::ListItem if parent_role != "list" => ElementShape::Worded("div", ""),
        // Every control in a list of choices is a choice.
        Role::Button | Role::RadioButton | Role::CheckBox if parent_role == "listbox" => {
            ElementShape::Named("div", "option")
        }
        // A dialog without a name is only a group, because screen readers announce dialogs by
        // name.
        Role::Dialog if node.label().is_none() => ElementShape::Named("div", "group"),
        // A row without cells has no content.
        Role::Row if node.children().is_empty() => ElementShape::Nothing,
        role => shape_of_role(role).unwrap_or(ElementShape::Named("div", "group")),
    }
}

/// The kind of element that a node becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ElementShape {
    /// No element. Its children are added to its parent.
    Children,
    /// No element, nor any for its descendants, whose content other nodes repeat.
    Nothing,
    /// An element with this tag and `role`, named by `aria-label`. An empty role means that of
    /// the tag.
    Named(&'static str, &'static str),
    /// An element with this tag and `role`, whose words are its content.
    Worded(&'static str, &'static str),
    /// An `input` of this type.
    Field(&'static str),
}

/// Returns `None` for a role that no page of the notebook has had so far.
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

        // Tabs are buttons too, because they have no list of tabs around them.
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
