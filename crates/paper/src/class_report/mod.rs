//! What a class did, for its teacher to keep: by class and by person which steps were seen
//! and solved, what was answered to questions that were put to all, and which
//! misconceptions remain. To print, as a table, or as one object for programs.
//!
//! What students send is not trusted: what no lesson, step or question answers to is left
//! out.

mod csv;
mod html;
mod questions;
mod report;
mod reported_class;
#[cfg(test)]
mod tests;

pub use report::ClassReport;
pub use reported_class::ReportedClass;
