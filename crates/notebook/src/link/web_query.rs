//! What the address of a page asks for beside the page, between `?` and `#`:
//! `?embed=stage&theme=dark`.

/// Which part of the notebook a browser's page is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PagePart {
    /// All of it.
    #[default]
    Whole,
    /// The stage of a step alone, within a page of somebody else.
    Stage,
    /// What a teacher reads, in a window of its own.
    TeachersWindow,
}

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebQuery {
    /// `embed=stage`, `window=teacher`.
    pub part: PagePart,
    /// `theme=dark`, `theme=light`; absent: as the system has it.
    pub dark: Option<bool>,
    /// `course=hands.bindpose`: where a course lies, as the address says it.
    pub course: Option<String>,
}

impl WebQuery {
    /// Reads it, with or without its `?`. What it does not know it leaves alone:
    /// others add to addresses, too.
    pub fn read(query: &str) -> Self {
        let mut read = Self::default();
        let query = query.strip_prefix('?').unwrap_or(query);
        for pair in query.split('&') {
            match pair {
                "embed=stage" => read.part = PagePart::Stage,
                "window=teacher" => read.part = PagePart::TeachersWindow,
                "theme=dark" => read.dark = Some(true),
                "theme=light" => read.dark = Some(false),
                other => {
                    let course = other.strip_prefix("course=");
                    let course = course.filter(|course| !course.is_empty());
                    read.course = course.map(str::to_owned).or(read.course);
                }
            }
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_asks_for_a_part_and_a_theme() {
        assert_eq!(WebQuery::read(""), WebQuery::default());
        let stage = WebQuery::read("?embed=stage&theme=dark&utm_source=slides");
        assert_eq!((stage.part, stage.dark), (PagePart::Stage, Some(true)));
        let teacher = WebQuery::read("window=teacher");
        assert_eq!(teacher.part, PagePart::TeachersWindow);
        assert_eq!(WebQuery::read("?embed=all").part, PagePart::Whole);
        let course = WebQuery::read("?course=../hands.bindpose&theme=light").course;
        assert_eq!(course.as_deref(), Some("../hands.bindpose"));
        assert_eq!(WebQuery::read("?course=").course, None);
    }
}
