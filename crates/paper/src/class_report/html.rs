//! The report as a page to print: first the class, lesson by lesson, then each student.

use super::html_parts::ReportPage;
use super::report::ClassReport;
use crate::handout::{HandoutLook, html_file, style};

const STYLE: &str = include_str!("report.css");

impl ClassReport {
    /// A page to print on A4, in one file.
    pub fn html(&self, look: &HandoutLook) -> Vec<u8> {
        let mut page = ReportPage { out: "<body>\n<main>\n".to_owned() };
        page.head(self);
        for lesson in &self.lessons {
            page.lesson(lesson, self.students.len());
        }
        if !self.students.is_empty() {
            page.out.push_str("<section class=\"apart\">");
            page.element("h2", "By person");
            for student in &self.students {
                page.person(student, &self.lessons);
            }
            page.out.push_str("</section>\n");
        }
        page.out.push_str("</main>\n");
        let style = style(look, "a4") + STYLE;
        html_file("Class report", &style, &page.out).into_bytes()
    }
}
