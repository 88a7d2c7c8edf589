//! Reports on a class for its teacher: per class and per student, the steps seen and solved, the
//! answers to the teacher's questions, and the misconceptions that remain. Exported as HTML to
//! print, as CSV and as JSON.
//!
//! Data from students is untrusted: records of lessons, steps and questions that do not exist are
//! ignored.

mod csv;
mod html;
mod questions;
mod report;
mod reported_class;
#[cfg(test)]
mod tests;

pub use report::ClassReport;
pub use reported_class::ReportedClass;
