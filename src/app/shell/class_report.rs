//! Saving the report of a class.

use bindpose_class_protocol::TeacherClient;
use bindpose_fetch as fetch;
use bindpose_notebook::Notebook;
use bindpose_notebook::export::ExportFormat;
use bindpose_page::view::SaveRequest;
use bindpose_page::view::classroom::{ClassRole, ReportRequest};
use bindpose_paper::class_report::{ClassReport, ReportedClass};
use bindpose_rigs::builtin;
use eframe::egui::Context;

use super::Shell;
use crate::app::exporting::today;
use crate::app::handout::look::handout_look;

impl Shell {
    /// Saves the requested report as soon as the rigs that its answers are graded with are
    /// loaded. A browser fetches them on first use.
    pub(super) fn save_class_report(&mut self, ctx: &Context) {
        let Some(request) = self.class.report.take() else { return };
        let ClassRole::Teacher(teacher) = &self.view.classroom.role else { return };
        // This requests the missing rigs, so it runs before the check for pending files.
        let report_file = create_report_file(request, teacher, &self.notebook);
        if fetch::is_any_pending() {
            self.class.report = Some(request);
            ctx.request_repaint_after_secs(0.2);
            return;
        }
        match report_file {
            Ok(file) => self.view.files.saves.push(file),
            Err(why) => self.notices.add_error(format!("The report was not made: {why}.")),
        }
    }
}

fn create_report_file(
    request: ReportRequest,
    teacher: &TeacherClient,
    notebook: &Notebook,
) -> Result<SaveRequest, serde_json::Error> {
    let room = teacher.code().as_str();
    let day = today();
    let stem = ["class", room].into_iter().chain(day.as_deref()).collect::<Vec<_>>().join("-");
    let name = format!("{stem}.{}", request.format.key());
    let students = teacher.students().collect();
    let class = ReportedClass { students, names: request.names, room, day };
    let report = ClassReport::new(&class, &notebook.set, &builtin);
    let bytes = match request.format {
        ExportFormat::Json => report.json()?,
        ExportFormat::Csv => report.csv(),
        _ => report.html(&handout_look()),
    };
    Ok(SaveRequest { name, bytes })
}
