//! The mirror, on trees of the real pages.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

use bindpose_lesson::LessonSet;
use bindpose_notebook::Preferences;
use eframe::egui::{
    Context, FullOutput, Plugin,
    accesskit::{Action, Node, NodeId, Role, TreeInfo, TreeUpdate},
};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::page::shape_of_role;
use super::*;
use crate::app::testing::{self, Page};

/// Keeps the last tree.
struct TreeRecorder(Arc<Mutex<Option<TreeUpdate>>>);

impl Plugin for TreeRecorder {
    fn debug_name(&self) -> &'static str {
        "recorder of trees"
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        if let Some(tree) = &output.platform_output.accesskit_update {
            *self.0.lock().expect("one thread") = Some(tree.clone());
        }
    }
}

/// A notebook with its accessibility tree.
struct RecordedNotebook {
    harness: Harness<'static, Page>,
    tree: Arc<Mutex<Option<TreeUpdate>>>,
}

impl RecordedNotebook {
    fn new(size: [f32; 2]) -> Self {
        let harness = testing::page_with_preferences(size, Preferences::default());
        let tree = Arc::new(Mutex::new(None));
        harness.ctx.add_plugin(TreeRecorder(Arc::clone(&tree)));
        Self { harness, tree }
    }

    fn follow(&mut self, link: &str) -> TreeUpdate {
        self.harness.state_mut().shell().open_link(link).expect(link);
        self.run()
    }

    fn run(&mut self) -> TreeUpdate {
        self.harness.run_steps(3);
        self.tree.lock().expect("one thread").clone().expect("on")
    }
}

fn links_to_all_steps() -> Vec<String> {
    let mut links = Vec::new();
    for lesson in LessonSet::embedded().lessons {
        for step in &lesson.steps {
            links.push(format!("bindpose://{}/{}", lesson.slug, step.slug));
        }
    }
    assert!(links.len() > 100, "{}", links.len());
    links
}

fn mirror(tree: &TreeUpdate) -> MirroredPage {
    MirroredPage::from_tree(tree, 1.0).expect("a root")
}

fn collect_elements<'e>(element: &'e Element, into: &mut Vec<&'e Element>) {
    into.push(element);
    for child in &element.children {
        collect_elements(child, into);
    }
}

fn opening_tag_html(element: &Element) -> String {
    let mut line = element.clone();
    line.children.clear();
    element_html(&line)
}

#[test]
fn every_role_of_every_step_has_an_element_and_every_control_a_name() {
    let mut notebook = RecordedNotebook::new([1280.0, 800.0]);
    let mut unknown = BTreeSet::new();
    let mut nameless = BTreeSet::new();
    for link in links_to_all_steps() {
        let tree = notebook.follow(&link);
        for (_, node) in &tree.nodes {
            if shape_of_role(node.role()).is_none() {
                unknown.insert(format!("{:?} in {link}", node.role()));
            }
        }
        let page = mirror(&tree);
        let mut elements = Vec::new();
        collect_elements(&page.root, &mut elements);
        let mut ids = BTreeSet::new();
        for element in elements {
            assert!(ids.insert(element.id), "twice in {link}: {}", opening_tag_html(element));
            let named = element.attributes.contains_key("aria-label") || !element.text.is_empty();
            if element.attributes.contains_key("tabindex") && !named {
                nameless.insert(format!("{link}: {}", opening_tag_html(element)));
            }
            let both = !element.text.is_empty() && !element.children.is_empty();
            assert!(!both, "{link}: {}", opening_tag_html(element));
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert!(nameless.is_empty(), "{nameless:#?}");
}

#[test]
fn changes_lead_from_each_step_to_the_next() {
    for size in [[1280.0, 800.0], [390.0, 844.0]] {
        let mut notebook = RecordedNotebook::new(size);
        let first = mirror(&notebook.run());
        let mut browser = TestDom::new(&MirroredPage::empty(first.root.id).root);
        let mut shown = MirroredPage::empty(first.root.id);
        for link in links_to_all_steps().iter().step_by(4) {
            let page = mirror(&notebook.follow(link));
            for change in diff_elements(&shown.root, &page.root) {
                browser.apply(&change);
            }
            assert_eq!(browser.read(page.root.id), page.root, "{link}");
            shown = page;
        }
    }
}

#[test]
fn changed_value_makes_few_changes() {
    let mut notebook = RecordedNotebook::new([1280.0, 800.0]);
    let before = mirror(&notebook.follow("bindpose://bind-pose"));
    assert_eq!(diff_elements(&before.root, &before.root), []);
    let after = mirror(&notebook.follow("bindpose://bind-pose?nod=0.5"));
    let changes = diff_elements(&before.root, &after.root);
    let has_slider_value = changes.iter().any(|change| {
        matches!(change, DomChange::Attribute { name, value, .. }
            if *name == "aria-valuetext" && value.as_deref() == Some("28.6°"))
    });
    assert!(has_slider_value, "{changes:#?}");
    let insert_count =
        changes.iter().filter(|change| matches!(change, DomChange::Insert { .. })).count();
    assert!(insert_count <= 6, "what is new is the sign of a change: {changes:#?}");
    assert!(changes.len() < 60, "{}", changes.len());
}

#[test]
fn elements_have_roles_names_and_states() {
    let mut notebook = RecordedNotebook::new([1440.0, 800.0]);
    let page = mirror(&notebook.follow("bindpose://bind-pose"));
    let mut elements = Vec::new();
    collect_elements(&page.root, &mut elements);
    let one = |role: &str, name: &str| {
        let found = elements.iter().find(|element| {
            let is = |key, value: &str| element.attributes.get(key).is_some_and(|it| it == value);
            is("role", role) && (is("aria-label", name) || element.text == name)
        });
        (*found.unwrap_or_else(|| panic!("no {role} {name}"))).clone()
    };
    assert_eq!(one("heading", "Something is wrong").attributes["aria-level"], "1");
    assert_eq!(one("button", "Undo").attributes["aria-disabled"], "true");
    let step = one("radio", "Step 1: Something is wrong");
    assert_eq!(step.attributes["aria-checked"], "true");
    for landmark in [("banner", "Bar"), ("navigation", "Lessons"), ("main", "Page")] {
        let landmark = one(landmark.0, landmark.1);
        assert!(landmark.attributes.contains_key("style"), "{landmark:?}");
    }
    let slider = elements
        .iter()
        .find(|it| it.attributes.get("type").is_some_and(|is| is == "range"))
        .expect("the nod");
    assert_eq!(slider.attributes["min"], "-90");
    assert_eq!(slider.attributes["max"], "90");
    assert_eq!(slider.attributes["aria-valuetext"], "0.0°");
    assert_eq!(slider.value, Some(FieldValue::Number(0.0)));
    let (first, last) = page.ends.expect("controls");
    let name = |id| page.root.find(id).expect("there").attributes["aria-label"].clone();
    assert_eq!(name(first), "Skip to the stage");
    assert_eq!(name(last), "weight of joint 1 on v0");
}

#[test]
fn dialogs_have_names() {
    let mut notebook = RecordedNotebook::new([1280.0, 800.0]);
    notebook.run();
    notebook.harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::K);
    let page = mirror(&notebook.run());
    let text = element_html(&page.root);
    assert!(text.contains("aria-label=\"Search\" aria-modal=\"true\" role=\"dialog\""), "{text}");
    let focused = page.focused().expect("the field");
    assert_eq!(focused.attributes["type"], "search");

    notebook.harness.key_press(eframe::egui::Key::Escape);
    notebook.run();
    notebook.harness.key_press(eframe::egui::Key::F1);
    let text = element_html(&mirror(&notebook.run()).root);
    assert!(text.contains("aria-label=\"Keys\" role=\"dialog\""), "{text}");
}

#[test]
fn menu_follows_its_button() {
    let mut notebook = RecordedNotebook::new([1280.0, 800.0]);
    notebook.follow("bindpose://bind-pose");
    let opener = "What is drawn, and how";
    notebook.harness.get_by_label(opener).click_accesskit();
    let page = mirror(&notebook.run());
    let mut elements = Vec::new();
    collect_elements(&page.root, &mut elements);
    let named = |name: &str| {
        let found = elements
            .iter()
            .position(|element| element.attributes.get("aria-label").is_some_and(|it| it == name));
        found.unwrap_or_else(|| panic!("no {name}: {}", element_html(&page.root)))
    };
    let button = elements[named(opener)];
    assert!(button.children.is_empty(), "{button:?}");
    let menu = elements[named("Joints and bones")];
    assert_eq!(menu.attributes["role"], "checkbox");
}

#[test]
fn opened_step_has_no_focus() {
    let mut notebook = RecordedNotebook::new([1280.0, 800.0]);
    let page = mirror(&notebook.run());
    assert_eq!((page.focus, page.active), (None, None));
    notebook.harness.key_press(eframe::egui::Key::Tab);
    let page = mirror(&notebook.run());
    let focused = page.focused().expect("the skip link");
    assert_eq!(focused.attributes["aria-label"], "Skip to the stage");
}

fn tree(nodes: Vec<(u64, Node)>) -> TreeUpdate {
    TreeUpdate {
        nodes: nodes.into_iter().map(|(id, it)| (NodeId(id), it)).collect(),
        tree: Some(TreeInfo::new(NodeId(0))),
        tree_id: eframe::egui::accesskit::TreeId::ROOT,
        focus: NodeId(0),
    }
}

fn node(role: Role, children: &[u64]) -> Node {
    let mut node = Node::new(role);
    node.set_children(children.iter().map(|&id| NodeId(id)).collect::<Vec<_>>());
    node
}

#[test]
fn tree_with_cycle_is_finite() {
    let mut loops = node(Role::Group, &[1, 0, 7]);
    loops.set_label("around");
    let page = mirror(&tree(vec![(0, node(Role::Window, &[1])), (1, loops)]));
    let over = &page.root.children[0];
    assert_eq!(over.attributes["aria-label"], "Over the page");
    assert_eq!(over.children[0].attributes["aria-label"], "around");
    assert!(over.children[0].children.is_empty());
    assert!(MirroredPage::from_tree(&tree(Vec::new()), 1.0).is_none());
}

#[test]
fn button_in_tree_is_inside_its_item() {
    let mut item = node(Role::TreeItem, &[]);
    item.set_label("hip");
    let mut fold = node(Role::Button, &[]);
    fold.set_label("fold hip");
    fold.add_action(Action::Click);
    let page = mirror(&tree(vec![
        (0, node(Role::Window, &[1])),
        (1, node(Role::Tree, &[2, 3, 4])),
        (2, item.clone()),
        (3, fold),
        (4, item),
    ]));
    let items = &page.root.children[0].children[0].children;
    assert_eq!(items.len(), 2);
    assert_eq!(items[0].children.len(), 1);
}

#[test]
fn open_list_has_name_of_its_combo_box() {
    let mut chosen = node(Role::ComboBox, &[2]);
    chosen.set_label("accessor");
    chosen.set_value("accessor 2");
    let mut entry = node(Role::Button, &[]);
    entry.set_label("accessor 0");
    let list = node(Role::ListBox, &[3]);
    let nodes = vec![(0, node(Role::Window, &[1])), (1, chosen), (2, list), (3, entry)];
    let page = mirror(&tree(nodes));
    let [choice, list] = &page.root.children[0].children[..] else {
        panic!("{}", element_html(&page.root));
    };
    assert_eq!(choice.text, "accessor 2");
    assert_eq!(choice.attributes["aria-expanded"], "true");
    assert_eq!(choice.attributes["aria-controls"], dom_id(list.id));
    assert_eq!(list.attributes["aria-label"], "accessor");
    assert_eq!(list.children[0].attributes["role"], "option");
}

#[test]
fn text_is_escaped() {
    let mut label = node(Role::Label, &[]);
    label.set_value("a < b & \"c\" </div><script>");
    let page = mirror(&tree(vec![(0, node(Role::Window, &[1])), (1, label)]));
    let text = element_html(&page.root);
    assert!(text.contains("a &lt; b &amp; &quot;c&quot; &lt;/div&gt;&lt;script&gt;"), "{text}");
    assert_eq!(node_id(&dom_id(u64::MAX)), Some(u64::MAX));
    assert_eq!(node_id("text"), None);
}

/// The elements of a browser by id, each with the ids of its children.
struct TestDom(HashMap<u64, (Element, Vec<u64>)>);

impl TestDom {
    fn new(root: &Element) -> Self {
        let mut browser = Self(HashMap::new());
        browser.insert(root);
        browser
    }

    fn apply(&mut self, change: &DomChange) {
        match change {
            DomChange::Remove { id } => {
                self.detach(*id);
                self.forget(*id);
            }
            DomChange::Insert { parent, before, element } => {
                self.insert(element);
                self.insert_child(element.id, *parent, *before);
            }
            DomChange::Move { id, parent, before } => {
                self.detach(*id);
                self.insert_child(*id, *parent, *before);
            }
            DomChange::Attribute { id, name, value } => {
                let attributes = &mut self.get_mut(*id).0.attributes;
                match value {
                    Some(value) => attributes.insert(name, value.clone()),
                    None => attributes.remove(name),
                };
            }
            DomChange::Text { id, text } => {
                let (element, children) = self.get_mut(*id);
                // Setting the text would replace all children.
                assert!(children.is_empty(), "words over {children:?}");
                element.text.clone_from(text);
            }
            DomChange::Value { id, value } => self.get_mut(*id).0.value = Some(value.clone()),
        }
    }

    /// Returns the element with its descendants.
    fn read(&self, id: u64) -> Element {
        let (element, children) = &self.0[&id];
        Element {
            children: children.iter().map(|&child| self.read(child)).collect(),
            ..element.clone()
        }
    }

    fn get_mut(&mut self, id: u64) -> &mut (Element, Vec<u64>) {
        self.0.get_mut(&id).expect("an element that is there")
    }

    fn insert(&mut self, element: &Element) {
        for child in &element.children {
            self.insert(child);
        }
        let children = element.children.iter().map(|child| child.id).collect();
        let alone = Element { children: Vec::new(), ..element.clone() };
        let twice = self.0.insert(element.id, (alone, children));
        assert!(twice.is_none(), "{} is there twice", element.id);
    }

    fn insert_child(&mut self, id: u64, parent: u64, before: Option<u64>) {
        let children = &mut self.get_mut(parent).1;
        let place = before.map_or(children.len(), |before| {
            let found = children.iter().position(|&child| child == before);
            found.expect("a sibling that is there")
        });
        children.insert(place, id);
    }

    fn detach(&mut self, id: u64) {
        let mut parents = self.0.values_mut();
        let parent = parents.find(|(_, children)| children.contains(&id));
        parent.expect("in something").1.retain(|&child| child != id);
    }

    fn forget(&mut self, id: u64) {
        let (_, children) = self.0.remove(&id).expect("there");
        for child in children {
            self.forget(child);
        }
    }
}
