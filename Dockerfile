# The program for pipelines, without a window: the doctor above all.
# docs/doctor-in-ci.md says how it is used.
#
#   docker build --tag bindpose .
#   docker run --rm --volume "$PWD:/models:ro" bindpose doctor models

FROM rust:1-slim-trixie AS build
WORKDIR /source
COPY . .
RUN cargo build --locked --profile dist --features relay --bin bindpose

# The program needs nothing but the C library; what a window needs is loaded when one opens.
FROM debian:trixie-slim
COPY --from=build /source/target/dist/bindpose /usr/local/bin/
COPY --from=build /source/LICENSE-APACHE /source/LICENSE-MIT /source/assets/licences/ /usr/share/doc/bindpose/
# Nobody in particular: models are only read. To write files, run as yourself.
USER 65534:65534
WORKDIR /models
ENTRYPOINT ["bindpose"]
CMD ["doctor", "."]
