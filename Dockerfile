# gcstorm on Debian 12, as an ordinary user.  Fuzzes by default; with files it reproduces them; docs/CI.md:
#   docker build -t gcstorm .
#   docker run --rm --security-opt seccomp=unconfined -v "$PWD/findings:/gcstorm/findings" gcstorm
#   docker run --rm --security-opt seccomp=unconfined -v "$PWD:/in:ro" gcstorm /in/FILE
# Packages come from ci/packages.txt alone.
FROM debian:12

RUN useradd --create-home --home-dir /gcstorm storm
WORKDIR /gcstorm
COPY ci/install ci/packages.txt ci/
RUN ci/install core && rm -rf /var/lib/apt/lists/*
COPY --chown=storm:storm . .
RUN mkdir -p findings && chown storm:storm findings
USER storm
RUN ci/build
ENTRYPOINT ["ci/container"]
