//! `bindpose serve` hands the notebook's web pages to browsers; `bindpose class` does so to a
//! class that acts together. Both show their addresses in a terminal, as a QR code too.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use bindpose_classroom::{InvitedAddress, RoomCode};
use bindpose_diagnostic::Diagnostic;
use bindpose_server::{
    RelayError, RelayFront, ServedFolder, ServedRoom, ServerOptions, SharedRoom, WebServer,
    network_addresses, squares, usual_folder,
};

use super::CommandFailure;
use super::output::{self, OutputForm};
use crate::app::KeptClass;

#[derive(Clone, Debug, clap::Args)]
pub(super) struct ServeArgs {
    /// The folder of pages that `cargo xtask web` writes; else the one that came with
    /// the program, or `target/web`
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The port to listen on; 0: any that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Also for other computers and phones in this network
    #[arg(long)]
    lan: bool,
}

/// Runs until the program is ended.
pub(super) fn run(args: &ServeArgs) -> Result<(), CommandFailure> {
    let server = start(args, None)?;
    announce(server.port(), args.lan)?;
    server.wait();
    Ok(())
}

#[derive(Debug, clap::Args)]
pub(super) struct ClassArgs {
    #[command(flatten)]
    serve: ServeArgs,
    /// Go on with the class of today that broke off, with its code and address
    #[arg(long, conflicts_with = "relay")]
    again: bool,
    /// Keep the class on this NATS server, so that several computers can serve it
    #[arg(long, value_name = "nats://HOST")]
    relay: Option<String>,
}

/// The same with a class, which its teacher leads from a browser.
pub(super) fn run_class(args: &ClassArgs) -> Result<(), CommandFailure> {
    match &args.relay {
        Some(relay) => run_relayed_class(&args.serve, relay),
        None => run_class_here(args),
    }
}

fn run_class_here(args: &ClassArgs) -> Result<(), CommandFailure> {
    let (room, port) = if args.again {
        let kept = KeptClass::last().ok_or_else(no_class)?;
        (kept.room(), kept.port)
    } else {
        (SharedRoom::with_new_code().map_err(|why| no_code(&why))?, args.serve.port)
    };
    let server = start(&ServeArgs { port, ..args.serve.clone() }, Some(room.clone().into()))?;
    KeptClass::keep(&room, server.port());
    announce_class(server.port(), &room)?;
    server.wait();
    Ok(())
}

fn run_relayed_class(args: &ServeArgs, relay: &str) -> Result<(), CommandFailure> {
    let front = RelayFront::open(relay).map_err(|why| no_relay(&why))?;
    let (code, secret) = (front.code().clone(), front.secret().clone());
    let server = start(args, Some(ServedRoom::Relayed(front)))?;
    let address = format!("localhost:{}", server.port());
    say(&format!(
        "You lead the class at  http://{address}/?class={code}&lead={}\n\
         or at the same behind your balancer\u{2019}s address. It is yours alone: whoever has it \
         is the teacher.\n\n\
         Students come to your balancer\u{2019}s address with the code  {code}\n\n\
         Ctrl+C ends it here; the class goes on where others serve it.\n",
        secret.as_str(),
    ))?;
    server.wait();
    Ok(())
}

fn no_class() -> CommandFailure {
    CommandFailure::cannot(Diagnostic::said(
        "NO_CLASS",
        "no class of today broke off here; `bindpose class` without --again begins one",
    ))
}

fn no_code(why: &io::Error) -> CommandFailure {
    let words = format!("the system gives no random numbers for a code ({why})");
    CommandFailure::cannot(Diagnostic::said("NO_CODE", words))
}

fn start(args: &ServeArgs, room: Option<ServedRoom>) -> Result<WebServer, CommandFailure> {
    let folder = args.folder.clone().or_else(usual_folder).ok_or_else(no_pages)?;
    let site = ServedFolder::open(&folder).map_err(|why| no_site(&folder, &why))?;
    let options = ServerOptions { site, port: args.port, lan: args.lan, room };
    WebServer::start(options).map_err(|why| no_server(args.port, &why))
}

/// Says where the pages are.
fn announce(port: u16, lan: bool) -> Result<(), CommandFailure> {
    let mut text = format!("The notebook is at  http://localhost:{port}/\n");
    if lan {
        let urls = network_addresses().into_iter().map(|ip| format!("http://{ip}:{port}/"));
        text += &network_text(&urls.collect::<Vec<_>>());
    }
    text += "Ctrl+C ends it.\n";
    say(&text)
}

/// The addresses of the pages for other computers, and the first as a QR code.
fn network_text(urls: &[String]) -> String {
    let [first, others @ ..] = urls else { return NO_NETWORK.to_owned() };
    let mut text = format!("for this network at  {first}\n");
    for other in others {
        let _ = writeln!(text, "or, if it does not open there, at  {other}");
    }
    let _ = writeln!(text, "\n{}", qr_text(&squares(first)));
    text
}

/// Says where the class meets: the teacher's address is the teacher's alone.
fn announce_class(port: u16, room: &SharedRoom) -> Result<(), CommandFailure> {
    let (code, secret, invitation) = (room.code(), room.secret(), room.invitation());
    let mut text = format!(
        "You lead the class at  http://localhost:{port}/?class={code}&lead={}\n\
         That address is yours alone: whoever has it is the teacher.\n\n",
        secret.as_str(),
    );
    text += &invitation_text(&invitation.addresses, &code);
    text += "\nCtrl+C ends it.\n";
    say(&text)
}

/// The addresses of a class, and the first as a QR code.
fn invitation_text(addresses: &[InvitedAddress], code: &RoomCode) -> String {
    let [first, others @ ..] = addresses else { return NO_NETWORK.to_owned() };
    let mut text = format!("Students come to  {}  with the code  {code}\n", first.host);
    for other in others {
        let _ = writeln!(text, "or, if it does not open there, to  {}", other.host);
    }
    let _ = write!(text, "\n{}", qr_text(&first.squares));
    text
}

fn say(text: &str) -> Result<(), CommandFailure> {
    output::to_stdout(OutputForm::Text, |out| io::Write::write_all(out, text.as_bytes()))
}

fn no_pages() -> CommandFailure {
    CommandFailure::cannot(Diagnostic::said(
        "NO_PAGES",
        "there are no pages to hand out, neither in `web` beside the program nor in \
         `../share/bindpose/web` or `../Resources/web` from there, nor in `target/web`; \
         `cargo xtask web` makes them",
    ))
}

fn no_relay(why: &RelayError) -> CommandFailure {
    let help = match why {
        RelayError::Address { .. } => "write nats://HOST, or nats://USER:PASSWORD@HOST:PORT",
        RelayError::Unreachable { .. } => "start nats-server -js there, and let this computer in",
        RelayError::NotLetIn { .. } => "write --relay nats://USER:PASSWORD@HOST",
        RelayError::NoStore { .. } => "start it as nats-server -js, with a folder by -sd",
        RelayError::System { .. } => "end other programs, and try again",
    };
    let wrong = Diagnostic::said("NO_RELAY", why.to_string()).help(help);
    CommandFailure::argument("--relay", wrong)
}

fn no_server(port: u16, why: &io::Error) -> CommandFailure {
    CommandFailure::cannot(Diagnostic::said(
        "PORT_TAKEN",
        format!("port {port} cannot be listened on ({why}); name another by --port, or 0 for any"),
    ))
}

fn no_site(folder: &Path, why: &io::Error) -> CommandFailure {
    let folder = folder.display();
    CommandFailure::cannot(Diagnostic::said(
        "NO_PAGES",
        format!("{folder} cannot be handed out ({why}); `cargo xtask web` makes such a folder"),
    ))
}

/// Printed instead of addresses for others.
const NO_NETWORK: &str = "Phones and other computers can’t reach this computer: it has no IPv4 \
    address in any network. Join the network of the room, or open a hotspot, and start this again.\n";

/// Around the code, in modules, as the standard asks.
const QUIET: usize = 4;

/// A code of these rows, in a terminal; empty where there is none.
fn qr_text(rows: &[String]) -> String {
    let width = rows.len();
    let light = |x: usize, y: usize| {
        let inside = (QUIET..QUIET + width).contains(&x) && (QUIET..QUIET + width).contains(&y);
        !inside || rows[y - QUIET].as_bytes().get(x - QUIET) == Some(&b'0')
    };
    if rows.is_empty() {
        return String::new();
    }
    let side = width + 2 * QUIET;
    let mut lines = String::new();
    for y in (0..side).step_by(2) {
        for x in 0..side {
            lines.push(match (light(x, y), y + 1 >= side || light(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_addresses_are_printed_and_the_first_is_the_qr_code() {
        let code = RoomCode::from_random(1);
        let address = |host: &str| {
            let squares = squares(&format!("http://{host}/{code}"));
            InvitedAddress { host: host.to_owned(), squares }
        };
        let both = [address("192.168.1.20:8080"), address("10.8.0.2:8080")];
        let text = invitation_text(&both, &code);
        let first = format!("Students come to  192.168.1.20:8080  with the code  {code}\n");
        assert!(text.starts_with(&first), "{text}");
        assert!(text.contains("to  10.8.0.2:8080\n"), "{text}");
        assert!(text.ends_with(&qr_text(&both[0].squares)), "{text}");

        let urls = both.map(|address| format!("http://{}/", address.host));
        let text = network_text(&urls);
        assert!(urls.iter().all(|url| text.contains(&format!("at  {url}\n"))), "{text}");
        assert!(text.contains(&qr_text(&squares(&urls[0]))), "{text}");
    }

    #[test]
    fn without_a_network_no_address_is_printed() {
        for text in [network_text(&[]), invitation_text(&[], &RoomCode::from_random(1))] {
            assert_eq!(text, NO_NETWORK);
        }
    }

    #[test]
    fn a_code_is_square_and_has_its_corners() {
        let code = qr_text(&squares("http://192.168.1.20:8080/"));
        let lines: Vec<Vec<char>> = code.lines().map(|line| line.chars().collect()).collect();
        let width = lines[0].len();
        assert!(lines.iter().all(|line| line.len() == width));
        assert_eq!(lines.len(), width.div_ceil(2));
        // Quiet all around, then the dark edge of the finder pattern, 7 long.
        assert!(lines[..2].iter().flatten().all(|&half| half == '█'));
        let finder: String = lines[2][4..11].iter().collect();
        assert_eq!(finder, " ▄▄▄▄▄ ");
    }
}
