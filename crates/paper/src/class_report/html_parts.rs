//! Pieces of HTML. Rows and cells of tables need no closing tags.

use crate::handout::escaped;

/// What is written so far.
pub(super) struct ReportPage {
    pub(super) out: String,
}

impl ReportPage {
    pub(super) fn text(&mut self, text: &str) {
        self.out.push_str(&escaped(text));
    }

    /// `tag`: with its attributes.
    pub(super) fn element(&mut self, tag: &str, text: &str) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        self.text(text);
        self.out.push_str("</");
        self.out.push_str(tag.split(' ').next().unwrap_or(tag));
        self.out.push_str(">\n");
    }

    pub(super) fn table(&mut self, columns: &[&str]) {
        self.out.push_str("<table class=\"text class\"><thead><tr><th>");
        self.text(columns[0]);
        for column in &columns[1..] {
            self.out.push_str("<th class=\"count\">");
            self.text(column);
        }
        self.out.push_str("</thead>");
    }

    /// A cell with a bar; without one for nothing.
    pub(super) fn count(&mut self, count: usize, most: usize, is_pale: bool) {
        let pale = if is_pale { " pale" } else { "" };
        let (share, number) = ((100 * count / most.max(1)).to_string(), count.to_string());
        let bar = ["<span class=\"bar\" style=\"width:", &share, "%\"></span>"].concat();
        let bar = if count > 0 { &bar } else { "" };
        let cell = ["<td class=\"count", pale, "\"><span class=\"bars\">", bar, "</span>", &number];
        self.out.push_str(&cell.concat());
    }

    pub(super) fn mark(&mut self, right: Option<bool>) {
        self.out.push_str(match right {
            Some(true) => "<span class=\"mark\">✓</span>",
            Some(false) => "<span class=\"mark wrong\">✗</span>",
            None => "",
        });
    }
}
