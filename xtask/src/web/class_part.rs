//! Which functions run in a class alone: no page outside of one fetches them. Those of
//! the modules here, but for what [`called_later`](super::called_later) does not name:
//! that runs on any page, to find that there is no class.

use super::called_later::without_build;

/// Where such functions are, as their names begin.
const MODULES: [&str; 6] = [
    "bindpose_classroom::",
    "bindpose_page::classroom::",
    "bindpose_paper::class_report::",
    "bindpose::app::shell::class_host::",
    "bindpose::app::shell::class_progress::",
    "bindpose::app::shell::class_report::",
];

/// Does a function of this name run in a class alone? What the standard library makes of
/// types of a class may have been merged with what it makes of others.
pub(super) fn runs_in_class(function: &str) -> bool {
    let name = without_build(function);
    let own = name.trim_start_matches(['<', '&', '(']);
    let of_class = |text: &str| MODULES.iter().any(|module| text.starts_with(module));
    let of_json = own.starts_with("serde");
    of_class(own) || of_json && name.contains(MODULES[0])
}

#[cfg(test)]
mod tests {
    use super::runs_in_class;

    #[test]
    fn what_is_of_a_class_is_known_by_where_it_is() {
        for of_class in [
            "bindpose_page[c5930c85a12de822]::classroom::strip::strip",
            "<bindpose_classroom[0123456789abcdef]::teacher::TeacherClient>::hear",
            "<serde_json::Map as serde_core::Deserializer>::f::<bindpose_classroom::Told>",
        ] {
            assert!(runs_in_class(of_class), "{of_class}");
        }
        for of_any in [
            "bindpose_page::cells::ask::ask_ui",
            "core::ptr::drop_in_place::<bindpose_classroom::record::StudentRecord>",
        ] {
            assert!(!runs_in_class(of_any), "{of_any}");
        }
    }
}
