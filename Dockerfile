# gcstorm on Debian 12.  Fuzzes by default; with a file argument it reproduces that file:
#   docker run --rm -v "$PWD/findings:/gcstorm/findings" gcstorm
#   docker run --rm -v "$PWD:/in:ro" gcstorm build/gcstorm run --sanitizer tsan /in/FILE
# Packages come from ci/packages.txt alone.
FROM debian:12

RUN useradd --create-home --home-dir /gcstorm storm
WORKDIR /gcstorm
COPY --chown=storm:storm ci/ ci/
RUN ci/install core && rm -rf /var/lib/apt/lists/*
COPY --chown=storm:storm . .
USER storm
RUN ci/build
CMD ["ci/fuzz", "--time", "60s"]
