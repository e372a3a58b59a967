import "./promises.ts";
