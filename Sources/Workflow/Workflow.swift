// Workflow
