//! What a class did, for its teacher to keep: by class and by person which steps were seen
//! and solved, what was answered to questions that were put to all, and which
//! misconceptions remain. To print, as a table, or as one object for programs.
//!
//! What students send is not trusted: what no lesson, step or question answers to is left
//! out.

mod asked_cell;
mod csv;
mod html;
mod html_class;
mod html_parts;
mod html_person;
mod lesson_counts;
mod question_counts;
mod questions;
mod report;
mod reported_class;
mod student_lesson;
#[cfg(test)]
mod tests;

pub use report::ClassReport;
pub use reported_class::ReportedClass;
