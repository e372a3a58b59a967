const host: any = process;
host.kill(host.pid, 0);
host.setuid(host.getuid());
host.setgid(host.getgid());
host.umask(0o77);
