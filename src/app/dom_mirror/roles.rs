//! Which element stands for which role.

use eframe::egui::accesskit::Role;

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
pub(super) fn shape(role: Role) -> Option<ElementShape> {
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
