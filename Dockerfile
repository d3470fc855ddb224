# The table server in a container:
#
#     docker build -t upcard .
#     docker run -p 8000:8000 -v upcard:/data upcard
#
# Tables, the signing key and compiled bots are stored in /data. Settings are environment variables
# (-e UPCARD_KEEP_DAYS=30) or flags at the end of the line; docs/hosting.md lists them all.

# The minor version of Python that runs the tests, with an exact patch level.
ARG PYTHON=3.11.14

FROM python:${PYTHON}-slim AS build
WORKDIR /build
RUN python -m venv /opt/upcard
ENV PATH=/opt/upcard/bin:$PATH
COPY requirements requirements
# Only locked versions are installed. The packages of the extras cluster and push are locked in the file for tests, so
# they are extracted: each from the line with its name to the first line without a backslash at its end.
RUN sed -n '/^\(async-timeout\|cffi\|cryptography\|psycopg\|psycopg-binary\|pycparser\|redis\)==/,/[^\\]$/p' \
    requirements/test.txt > requirements/extras.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/play.txt -r requirements/extras.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:${PYTHON}-slim
COPY --from=build /opt/upcard /opt/upcard
# A numeric user, so that the container's host can see that it is not root.
RUN install -d -m 700 -o 10001 -g 10001 /data
USER 10001:10001
ENV PATH=/opt/upcard/bin:$PATH \
    XDG_DATA_HOME=/data \
    UPCARD_CACHE=/data/cache \
    UPCARD_HOST=0.0.0.0
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["python", "-c", \
    "import os, urllib.request as web; web.urlopen('http://127.0.0.1:' + os.environ.get('UPCARD_PORT', '8000') + '/healthz')"]
ENTRYPOINT ["upcard", "serve"]
