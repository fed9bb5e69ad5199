/** All directories that nginx makes by itself, else below `/var/lib/nginx`, which only root may write to. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/**
 * What nginx does by default, in the foreground and with all that it writes in its own folder.
 * @param {import('../nginx.mjs').NginxOptions} options
 * @returns {import('../proxy/kind.mjs').Configuration}
 */
export const nginxConfiguration =
  ({ to, server = [], location = [] }) =>
  ({ folder, port, path, token }) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr;
events {
  worker_connections 128;
}
http {
  access_log off;
  ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    ${server.join('\n    ')}
    location = ${path} {
      return 200 ${token};
    }
    location / {
      proxy_pass http://${to};
      ${location.join('\n      ')}
    }
  }
}
`
