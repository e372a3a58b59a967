const settings: any = new Proxy({}, { get: (_, key) => `no setting ${String(key)}`, has: () => true });
if (settings.anything !== "no setting anything") throw new Error("a setting");
